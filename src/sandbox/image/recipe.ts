import { hash } from "node:crypto";

/** What the default image has: enough to run Python's and Node's tests, to read and to search. */
const PACKAGES = [
  "ca-certificates",
  "git",
  "libstdc++6",
  "make",
  "patch",
  "python3",
  "python3-pytest",
  "ripgrep",
];

export const SUITE = "bookworm";

/** Left out of the image: nothing runs them. */
const UNWANTED = ["/usr/share/doc/*", "/usr/share/man/*", "/usr/share/locale/*", "/usr/share/info/*"];

/** The image runs rollouts' JavaScript with the Node.js that gagar itself runs on. */
const [NODE_MAJOR = ""] = process.versions.node.split(".");

/** For an engine that can reach a registry. */
export const DOCKERFILE = `FROM node:${NODE_MAJOR}-${SUITE}-slim
RUN apt-get update \\
 && apt-get install -y --no-install-recommends ${PACKAGES.join(" ")} \\
 && rm -rf /var/lib/apt/lists/* ${UNWANTED.join(" ")}
`;

/** What is taken from the host besides Debian's packages (see node.ts). */
const FROM_HOST = ["node", "npm"];

/** For a Debian host without one: arguments of mmdebstrap, before suite and target. */
export const MMDEBSTRAP = [
  "--variant=minbase",
  `--include=${PACKAGES.join(",")}`,
  ...UNWANTED.map((path) => `--dpkgopt=path-exclude=${path}`),
  "--format=tar",
];

/** Changes with the recipe, so that a new recipe is never served by an old image. */
export const TAG = hash("sha256", JSON.stringify([DOCKERFILE, MMDEBSTRAP, SUITE, FROM_HOST])).slice(0, 12);

/** Name of the default image. */
export const IMAGE = `gagar-sandbox:${TAG}`;

/** What people are told who do not have it. */
export const BUILD_ADVICE = "npm run image builds it";
