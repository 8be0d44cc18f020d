/**
 * Every event type that Copilot CLI knows, with what the rest of this folder needs to know about it. Asked of the real
 * 1.0.102, field by field, and taken from the schema it comes with (see FORMAT.md); test/real/ compares both.
 */
import { EPHEMERAL_TYPES } from "./ephemeral-types.ts";
import type { EventType, Fields, Part, Role } from "./event-type.ts";

const TOOL_REQUESTS: Part = {
  kind: "array",
  called: "a tool request",
  requires: { toolCallId: "string", name: "string" },
};
const TOOL_RESULT: Part = { kind: "object", called: "a tool result", requires: { content: "string" } };
const TOOL_ERROR: Part = { kind: "object", called: "a tool error", requires: { message: "string" } };

/** Written without ever being declared: one set for every compaction that was asked for from outside. */
const UNDECLARED: EventType = { goesWith: "compaction", skippedBy: "" };
/** What both ends of a phase have in common. */
const FUSION_PHASE: Fields = {
  fusionId: "string",
  phaseId: "string",
  phaseKind: "string",
  role: "string",
  conversationScope: "string",
  model: "string",
  status: "string",
  durationMs: "number",
  usage: "object",
};

const EVENT_TYPES: Readonly<Record<string, EventType>> = {
  abort: { role: "abort", requires: { reason: "string" } },
  "assistant.fusion_phase_completed": { requires: { ...FUSION_PHASE, content: "string" } },
  "assistant.fusion_phase_failed": { requires: { ...FUSION_PHASE, reason: "string" } },
  "assistant.message": {
    role: "answer",
    requires: { messageId: "string", content: "string" },
    allows: { reasoningText: "string", toolRequests: TOOL_REQUESTS },
    isWorthHalf: true,
  },
  "assistant.reasoning": { role: "thought", requires: { reasoningId: "string", content: "string" } },
  "assistant.turn_end": { role: "turn-end", requires: { turnId: "string" }, skippedBy: "turnId" },
  "assistant.turn_start": { role: "turn-start", requires: { turnId: "string" }, skippedBy: "turnId" },
  "external_tool.requested": {
    requires: {
      requestId: "string",
      sessionId: "string",
      toolCallId: "string",
      toolName: "string",
    },
    goesWith: "call",
  },
  "hook.end": {
    requires: { hookInvocationId: "string", hookType: "string", success: "boolean" },
    goesWith: "call",
  },
  "hook.start": { requires: { hookInvocationId: "string", hookType: "string" }, goesWith: "call" },
  "human_response.recorded": { requires: { requestId: "string", actor: "string", response: "object" } },
  "mcp.oauth_recovery_completed": {
    requires: { requestId: "string", serverName: "string", outcome: "string" },
  },
  "permission.assentDetected": { requires: { requestId: "string", turnIndex: "integer" }, goesWith: "call" },
  "permission.carriedForward": {
    requires: {
      requestId: "string",
      toolCallId: "string",
      recordId: "string",
      decisionSource: "string",
    },
    goesWith: "call",
  },
  "permission.completed": { requires: { requestId: "string", result: "object" }, goesWith: "call" },
  "permission.contextualAuthorization": {
    requires: {
      recordId: "string",
      requestId: "string",
      turnIndex: "integer",
      polarity: "string",
      spanStart: "integer",
      spanEnd: "integer",
    },
    goesWith: "call",
  },
  "permission.messageAuthorization": {
    requires: {
      recordId: "string",
      turnIndex: "integer",
      polarity: "string",
      actionClass: "string",
      spanStart: "integer",
      spanEnd: "integer",
    },
    goesWith: "call",
  },
  "permission.messageAuthorizationDegraded": { requires: { turnIndex: "integer" }, goesWith: "call" },
  "permission.messageAuthorizationRead": { requires: { turnIndex: "integer" }, goesWith: "call" },
  "permission.requested": {
    requires: { requestId: "string", permissionRequest: "object" },
    goesWith: "call",
  },
  "session.auto_mode_resolved": { requires: { chosenModel: "string" } },
  "session.autopilot_objective_changed": { requires: { operation: "string" } },
  "session.binary_asset": {
    requires: {
      assetId: "string",
      type: "string",
      mimeType: "string",
      byteLength: "integer",
      data: "string",
    },
    skippedBy: "assetId",
  },
  "session.canvas.recorded": {
    requires: { instanceId: "string", extensionId: "string", canvasId: "string" },
  },
  "session.canvas.removed": { requires: { instanceId: "string", extensionId: "string", canvasId: "string" } },
  "session.compaction_complete": {
    role: "compaction",
    requires: { success: "boolean" },
    allows: { summaryContent: "string" },
  },
  "session.compaction_start": { role: "compaction-start", requires: {}, goesWith: "compaction" },
  "session.completion_receipt": {
    requires: {
      schemaVersion: "integer",
      attempt: "integer",
      sourceEventId: "string",
      eventRange: "object",
      stopReason: "string",
      successfulToolCount: "integer",
      failedToolCount: "integer",
    },
  },
  "session.context_changed": { role: "folder-change", requires: { cwd: "string" }, goesWith: "setting" },
  "session.context_cleared": {
    role: "clear",
    requires: { messagesCleared: "integer" },
    allows: { initialMessage: "string" },
  },
  "session.error": { role: "error", requires: { errorType: "string", message: "string" } },
  "session.fusion_change_checkpoint": { requires: { codeChanges: "object" } },
  "session.fusion_commit_started": {
    requires: {
      fusionId: "string",
      commitId: "string",
      sourcePhaseId: "string",
      sourceModel: "string",
      kind: "string",
    },
  },
  "session.fusion_completed": {
    requires: {
      fusionId: "string",
      commitId: "string",
      turnId: "string",
      syntheticModel: "string",
      pattern: "string",
      outcome: "string",
      followUpModel: "string",
      phaseCount: "integer",
      requestCount: "integer",
      inputTokens: "integer",
      outputTokens: "integer",
      cachedTokens: "integer",
      totalNanoAiu: "number",
      durationMs: "number",
    },
  },
  "session.fusion_handoff": {
    requires: {
      fusionId: "string",
      sourcePhaseId: "string",
      targetPhaseId: "string",
      targetModel: "string",
      message: "any",
    },
  },
  "session.fusion_resolved": {
    requires: {
      fusionId: "string",
      turnId: "string",
      contractVersion: "integer",
      syntheticModel: "string",
      policy: "string",
      pattern: "string",
      primaryModel: "string",
      fallbackModel: "string",
      followUpModel: "string",
    },
  },
  "session.fusion_route_failed": {
    requires: {
      attemptId: "string",
      syntheticModel: "string",
      policy: "string",
      reason: "string",
      fallbackModel: "string",
    },
  },
  "session.handoff": { role: "handoff", requires: { handoffTime: "string", sourceType: "string" } },
  "session.info": { role: "info", requires: { infoType: "string", message: "string" } },
  "session.mode_changed": {
    role: "mode-change",
    requires: { previousMode: "string", newMode: "string" },
    goesWith: "setting",
  },
  "session.mode_notice_delivered": { requires: { mode: "string" } },
  "session.model_change": { role: "model-change", requires: { newModel: "string" }, goesWith: "setting" },
  "session.model_deselected": {
    role: "model-deselected",
    requires: { previousModel: "string", reason: "string" },
    goesWith: "setting",
  },
  "session.permission_recovery": {
    requires: {
      episodeId: "string",
      status: "string",
      onBlocked: "string",
      reason: "string",
      maxAttempts: "integer",
      attempts: "array",
    },
  },
  "session.permissions_changed": { requires: {}, goesWith: "setting" },
  "session.plan_changed": { role: "plan-change", requires: { operation: "string" }, goesWith: "setting" },
  "session.remote_steerable_changed": { requires: { remoteSteerable: "boolean" } },
  "session.request_body_compression_disabled": { requires: {} },
  "session.resume": { role: "resume", requires: { resumeTime: "string", eventCount: "integer" } },
  "session.schedule_cancelled": { requires: { id: "integer" } },
  "session.schedule_created": { requires: { id: "integer", prompt: "string" } },
  "session.schedule_rearmed": { requires: { id: "integer", nextRunAt: "integer" } },
  "session.session_limits_changed": { requires: {} },
  "session.shutdown": {
    role: "shutdown",
    requires: {
      shutdownType: "string",
      totalApiDurationMs: "integer",
      sessionStartTime: "integer",
      codeChanges: "object",
      modelMetrics: "object",
    },
    skippedBy: "accountingSnapshot",
  },
  "session.start": {
    role: "start",
    requires: {
      sessionId: "string",
      version: "integer",
      producer: "string",
      copilotVersion: "string",
      startTime: "string",
    },
    goesWith: "setting",
    isWorthHalf: true,
  },
  "session.task_complete": { requires: {} },
  "session.truncation": {
    role: "truncation",
    requires: {
      tokenLimit: "integer",
      preTruncationTokensInMessages: "integer",
      preTruncationMessagesLength: "integer",
      postTruncationTokensInMessages: "integer",
      postTruncationMessagesLength: "integer",
      tokensRemovedDuringTruncation: "integer",
      messagesRemovedDuringTruncation: "integer",
      performedBy: "string",
    },
  },
  "session.usage_checkpoint": { requires: { totalNanoAiu: "number" } },
  "session.usage_record": { role: "usage", requires: { usage: "object" } },
  "session.warning": { role: "warning", requires: { warningType: "string", message: "string" } },
  "session.workspace_file_changed": { requires: { path: "string", operation: "string" } },
  "skill.context_delivered": { role: "skill", requires: { content: "string", source: "string" } },
  "skill.context_delivered_ref": { requires: {} },
  "skill.invoked": { requires: { name: "string", path: "string", content: "string" } },
  "skill.invoked_ref": { requires: {} },
  "subagent.completed": {
    requires: { toolCallId: "string", agentName: "string", agentDisplayName: "string" },
    goesWith: "call",
  },
  "subagent.configured": { requires: { model: "string", multiTurn: "boolean" }, goesWith: "call" },
  "subagent.deselected": { requires: {}, goesWith: "call" },
  "subagent.failed": {
    role: "agent-failure",
    requires: {
      toolCallId: "string",
      agentName: "string",
      agentDisplayName: "string",
      error: "string",
    },
    goesWith: "call",
  },
  "subagent.selected": { requires: { agentName: "string" }, goesWith: "call" },
  "subagent.started": {
    role: "agent-start",
    requires: {
      toolCallId: "string",
      agentName: "string",
      agentDisplayName: "string",
      agentDescription: "string",
    },
    goesWith: "call",
  },
  "system.message": { requires: { content: "string", role: "string" }, skippedBy: "role" },
  "system.notification": { role: "notification", requires: { content: "string", kind: "object" } },
  "tool.execution_complete": {
    role: "result",
    requires: { toolCallId: "string", success: "boolean" },
    allows: { result: TOOL_RESULT, error: TOOL_ERROR },
    goesWith: "call",
    isWorthHalf: true,
  },
  "tool.execution_start": {
    role: "call-start",
    requires: { toolCallId: "string", toolName: "string" },
    goesWith: "call",
    skippedBy: "toolCallId",
  },
  "tool.user_requested": {
    role: "user-call",
    requires: { toolCallId: "string", toolName: "string" },
    goesWith: "call",
  },
  "tool_search.activated": { requires: { strategy: "string", toolNames: "array" }, goesWith: "call" },
  "user.message": {
    role: "prompt",
    requires: { content: "string" },
    allows: { transformedContent: "string", attachments: "array" },
    isWorthHalf: true,
  },

  "model.turn_started": UNDECLARED,
  "model.turn_ended": UNDECLARED,
  "model.model_call_started": UNDECLARED,
  "model.model_call_success": UNDECLARED,
  "model.message": UNDECLARED,
  "model.response": UNDECLARED,
  "model.messages_snapshot": UNDECLARED,

  "assistant.message_delta": { isEphemeral: true, role: "text-delta" },
  "assistant.reasoning_delta": { isEphemeral: true, role: "thought-delta" },
  "assistant.usage": { isEphemeral: true, role: "usage-count" },
};

/** By their names, in the order of the table. */
export const eventTypes: ReadonlyMap<string, EventType> = new Map<string, EventType>([
  ...Object.entries(EVENT_TYPES),
  ...EPHEMERAL_TYPES.map((type): [string, EventType] => [type, { isEphemeral: true }]),
]);

export const roleOf = (type: string): Role | undefined => eventTypes.get(type)?.role;

export const isEphemeralType = (type: string): boolean => eventTypes.get(type)?.isEphemeral ?? false;

/** Whether the program reads such a record of a log. */
export const isKnownType = (type: string): boolean => eventTypes.has(type) && !isEphemeralType(type);
