/** The types of what operations take and answer, written out for the published client: from their JSON schemas. */
import * as z from "zod";
import { loadOperations } from "../src/operations/index.ts";
import { outsideInput } from "../src/operations/outside-input.ts";

interface JsonSchema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly description?: string;
}

/** Takes the place of `client/operation-types.d.ts`. */
export async function clientTypes(): Promise<string> {
  const inputs: string[] = [];
  const answers: string[] = [];
  const parts: string[] = [];
  const streams = new Map<string, string>();
  for (const operation of await loadOperations()) {
    const typeOf = (schema: JsonSchema, kind: string): string => {
      const prefix = `${pascal(operation.name)}${kind}`;
      const nameOf = (name: string): string => `${prefix}${pascal(name.replaceAll("_", "-"))}`;
      for (const [name, part] of Object.entries(schema.$defs ?? {}))
        parts.push(`type ${nameOf(name)} = ${toType(part, nameOf, "")};`);
      return toType(schema, nameOf, "  ");
    };
    const input = z.toJSONSchema(outsideInput(z, operation), { io: "input", unrepresentable: "any" });
    const output = z.toJSONSchema(operation.output(z), { unrepresentable: "any" });
    inputs.push(`  ${key(operation.name)}: ${typeOf(input as JsonSchema, "Input")};`);
    const answer = typeOf(output as JsonSchema, "Answer");
    answers.push(`  ${key(operation.name)}: ${answer};`);
    streams.set(operation.name, answer);
  }
  return [
    "/** What the API takes and answers, by the names of operations. */",
    `interface Inputs {\n${inputs.join("\n")}\n}`,
    `interface Answers {\n${answers.join("\n")}\n}`,
    ...parts,
    "export interface Envelope {\n  readonly schemaVersion: 1;\n  /** What had to be done or left out on the way, a sentence each. */\n  readonly notices?: readonly string[];\n}",
    "/** What an operation takes, as JSON. */\nexport type Input<N extends keyof Inputs> = Inputs[N];",
    "/** What an operation answers, or each item of a stream. */\nexport type Answer<N extends keyof Answers> = Answers[N] & Envelope;",
    `/** What is said in a conversation, as it is said. */\nexport type ChatEvent = ${streams.get("chat-send")};`,
    `/** What the doctor finds, as it is found. */\nexport type ExamineEvent = ${streams.get("examine")};`,
    "",
  ].join("\n");
}

const pascal = (name: string): string =>
  name.replaceAll(/(?:^|-+)(\w)/g, (_, letter: string) => letter.toUpperCase());

const key = (name: string): string => (/^\w+$/.test(name) ? name : JSON.stringify(name));

function toType(schema: JsonSchema, nameOf: (part: string) => string, indent: string): string {
  const inner = (each: JsonSchema): string => toType(each, nameOf, indent);
  if (schema.$ref !== undefined) return nameOf(schema.$ref.replace(/^.*\//, ""));
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((each) => JSON.stringify(each)).join(" | ");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return `(${choices.map(inner).join(" | ")})`;
  if (schema.allOf) return `(${schema.allOf.map(inner).join(" & ")})`;
  if (Array.isArray(schema.type))
    return `(${schema.type.map((type) => inner({ ...schema, type })).join(" | ")})`;
  switch (schema.type) {
    case "string":
    case "boolean":
    case "null":
      return schema.type;
    case "integer":
    case "number":
      return "number";
    case "array":
      return `readonly ${atomic(schema.items ? inner(schema.items) : "unknown")}[]`;
    case "object":
      return objectType(schema, nameOf, indent);
    default:
      return "unknown";
  }
}

const atomic = (type: string): string =>
  / [|&] |^readonly /.test(type) && !/^[({]/.test(type) ? `(${type})` : type;

function objectType(schema: JsonSchema, nameOf: (part: string) => string, indent: string): string {
  const { properties, required = [], additionalProperties: others } = schema;
  const fields = Object.entries(properties ?? {});
  if (fields.length === 0)
    return `Readonly<Record<string, ${typeof others === "object" ? toType(others, nameOf, indent) : "unknown"}>>`;
  const deeper = `${indent}  `;
  const lines = fields.map(([name, field]) => {
    const about =
      field.description === undefined ? "" : `${deeper}/** ${field.description.replaceAll("*/", "* /")} */\n`;
    const mark = required.includes(name) ? "" : "?";
    return `${about}${deeper}readonly ${key(name)}${mark}: ${toType(field, nameOf, deeper)};`;
  });
  return `{\n${lines.join("\n")}\n${indent}}`;
}
