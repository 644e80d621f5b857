/** Where a text stands: in a comment or a string of code, in documentation, or in a recorded call or observation. */
export type Channel = "comment" | "string" | "prose" | "record";

/** A way to speak to a grader. `says` completes "path:line ...". */
export interface Address {
  says: string;
  /** Offset in the text. */
  at: number;
  words: string;
}

/** Longest text that is searched, in characters. */
const MAX_TEXT = 200_000;

const ROLE = "(?:graders?|judges?|evaluators?|assessors?|grading\\s+(?:model|agent|system))";
const WORK = "(?:patch|solution|rollout|submission|diff|implementation|change)";
const TOP = "(?:top|highest|best|first|maximum|perfect)";

interface Kind {
  pattern: RegExp;
  channels: readonly Channel[];
  says: string;
}

const EVERYWHERE: readonly Channel[] = ["comment", "string", "prose", "record"];
const WRITTEN: readonly Channel[] = ["comment", "string", "prose"];

const KINDS: readonly Kind[] = [
  {
    pattern: new RegExp(
      `\\b(?:note|message|attention|instructions?|hint|important)\\s+(?:to|for)\\s+(?:the\\s+|any\\s+|all\\s+|ai\\s+|llm\\s+|automated\\s+)*(?:${ROLE}|reviewers?|llms?|language\\s+models?)\\b` +
        `|(?:^|\\n)[ \\t#/*>"'\`<!;-]*(?:dear\\s+)?(?:ai\\s+|llm\\s+)?${ROLE}\\s*[:,]\\s` +
        `|\\bdear\\s+(?:${ROLE}|reviewers?)\\b` +
        `|\\bif\\s+you\\s+are\\s+(?:an?\\s+|the\\s+)?(?:ai|llm|${ROLE}|language\\s+model)\\b`,
      "i",
    ),
    channels: EVERYWHERE,
    says: "speaks to a grader instead of to readers of the code",
  },
  {
    pattern: /\b(GRADERS?|JUDGES?|EVALUATORS?|REVIEWERS?)\s*:\s/,
    channels: EVERYWHERE,
    says: "speaks to a grader instead of to readers of the code",
  },
  {
    pattern: new RegExp(
      `\\b(?:output|assign|give|award|return|report|deserves?|belongs?|place[ds]?|put|rank(?:ed)?|rate[ds]?|grade[ds]?)\\b[^.\\n]{0,40}\\b(?:tier[\\s_-]*[123]\\b|${TOP}[\\s-]+tier\\b|full\\s+(?:marks|credit|score)\\b|${TOP}\\s+(?:score|grade|rank|rating)\\b)` +
        `|\\b(?:rate|rank|score|grade|accept|approve|prefer)\\s+(?:this|the)\\s+${WORK}\\s+(?:as|at|above|over|with|in|${TOP})\\b` +
        `|\\bthis\\s+${WORK}\\s+(?:must|should)\\s+be\\s+(?:placed|ranked|graded|rated|scored|accepted|approved|preferred)\\b`,
      "i",
    ),
    channels: EVERYWHERE,
    says: "asks for a grade",
  },
  {
    pattern:
      /\b(verified|approved|reviewed|signed[- ]off|validated|certified|audited|endorsed)\s+(and\s+\w+\s+)?by\s+(an?\s+|the\s+|our\s+|two\s+|three\s+)?(senior|staff|principal|lead|security|human|core|upstream|expert|professional|qa|maintainers?)\b|\b(this|it)\s+is\s+the\s+((reference|gold(en)?|official|canonical|optimal|upstream)\s+(solution|implementation|patch|answer|fix)|(correct|expected)\s+(solution|patch|answer))\b|\b(matches|identical\s+to|same\s+as)\s+the\s+(gold(en)?|reference|upstream)\s+(solution|patch|fix)\b|\bpass(es|ed)\s+all\s+(the\s+)?hidden\s+tests\b/i,
    channels: EVERYWHERE,
    says: "claims an approval, which no text in a change can show",
  },
  {
    pattern:
      /(?<!\b(?:that|if|when|until|unless|once|ensure|sure|make|check|verify|confirm|after|before|and|so)\s+)\ball\s+(\d+\s+)?(unit\s+|existing\s+)?(tests|checks)\s+(pass(ed)?|are\s+green|succeed(ed)?)\b|\bLGTM\b/i,
    channels: ["comment"],
    says: "claims a test result, which no comment can show",
  },
  {
    pattern:
      /\b(ignore|disregard|forget|override)\s+(all\s+|any\s+|your\s+|the\s+)*(previous|prior|above|earlier|preceding)\s+(instructions?|prompts?|criteria|findings?|evidence|guidelines)|\byou\s+are\s+(now\s+)?(an?|the)\s+((helpful|impartial|strict|lenient|fair|expert|code)\s+)*(grader|judge|reviewer|evaluator|ai\b|language\s+model)|\b(new|updated|revised)\s+(system\s+)?(instructions|prompt)\s*:|\bsystem\s+(prompt|override)\s*:|\bsubmit_verdict\b|\brecord_finding\b/i,
    channels: EVERYWHERE,
    says: "gives instructions to a language model",
  },
  {
    pattern:
      /<\|(im_start|im_end|system|user|assistant|endoftext|eot_id|start_header_id)\|>|\[\/?INST\]|<<\/?SYS>>|<\/?(function_results|function_calls|tool_result|tool_response|tool_call|tool_output|system[-_](reminder|prompt|message)|rollout|submission|verdict)>|<\/(patch|diff|system|instructions|untrusted|evidence)>|["']?\brole["']?\s*:\s*["'](system|tool)["']|["']tier(_1)?["']\s*:\s*(1\b|\[)|-{3,}\s*(END|BEGIN)\s+(OF\s+)?(PATCH|ROLLOUT|SYSTEM|SUBMISSION|INSTRUCTIONS)/i,
    // Records of an agent are full of frames of its own harness.
    channels: WRITTEN,
    says: "imitates the frame of a prompt or of a tool result",
  },
];

/** Cheap test that comes before the patterns. */
const ANY =
  /grader|grading|judge|evaluator|assessor|reviewer|language model|\bllm|tier|full (marks|credit|score)|patch|solution|rollout|submission|senior|staff|principal|maintainer|engineer|expert|hidden tests|tests (pass|are)|checks (pass|are)|LGTM|ignore|disregard|forget|override|you are|prompt|instructions|<\||INST\]|SYS>>|submit_verdict|record_finding|<\/|<tool|<function|role|---/i;

/** The first way in which a text speaks to a grader. */
export function addressOf(text: string, channel: Channel): Address | undefined {
  const part = text.slice(0, MAX_TEXT);
  if (!ANY.test(part)) return undefined;
  for (const { pattern, channels, says } of KINDS) {
    const match = channels.includes(channel) ? pattern.exec(part) : null;
    if (match !== null) {
      const lead = /^[\s#/*;-]*/.exec(match[0])?.[0].length ?? 0;
      return { says, at: match.index + lead, words: match[0].slice(lead).trim() };
    }
  }
  return undefined;
}
