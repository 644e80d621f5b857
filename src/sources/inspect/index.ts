export { type InspectLog, type InspectSample, type InspectScore, readInspectLog } from "./log.ts";
