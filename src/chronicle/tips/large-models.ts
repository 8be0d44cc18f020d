/** Which models cost several times what others of their vendor do. */
import { modelName } from "../../model/values/model-name.ts";

/** By family, since prices change more often than what a vendor calls its largest. */
const LARGE = /\bopus\b|^gpt-[\d.]+-pro\b|^gpt-4\.5\b|^o1(?:-pro|-preview)?$|^o3-pro\b|-ultra\b|-heavy\b/;

export const isLargeModel = (model: string): boolean => LARGE.test(modelName(model));
