import type { FileClass } from "./types.ts";

const LOCK =
  /(^|\/)(package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|poetry\.lock|uv\.lock|pipfile\.lock|cargo\.lock|go\.sum|gemfile\.lock|composer\.lock)$/i;
const TEST_CONFIG =
  /(^|\/)(conftest\.py|pytest\.ini|tox\.ini|setup\.cfg|noxfile\.py|jest\.config\.[^/]+|vitest\.config\.[^/]+|vitest\.workspace\.[^/]+|karma\.conf\.[^/]+|\.mocharc[^/]*|mocha\.opts|\.nycrc[^/]*|playwright\.config\.[^/]+|cypress\.config\.[^/]+)$/i;
const TEST =
  /(^|\/)(tests?|__tests__|specs?|testing|testdata|fixtures)\/|(^|\/)test_[^/]+\.py$|_test\.(py|go|rb|exs|dart|cc|cpp)$|[._-](test|spec)s?\.[cm]?[jt]sx?$|(^|\/)[^/]*(Test|Tests|IT|Spec)\.(java|kt|scala|cs|swift|php)$|_spec\.rb$/;
const DOCS =
  /(^|\/)(docs?|documentation|man)\/|(^|\/)(readme|changelog|changes|history|news|contributing|authors|license|copying|notice|upgrading|agents|claude|security)([._-][^/]*)?$|\.(md|mdx|rst|adoc|asciidoc)$/i;
const BUILD =
  /(^|\/)(makefile|gnumakefile|cmakelists\.txt|dockerfile[^/]*|pyproject\.toml|setup\.py|manifest\.in|package\.json|tsconfig[^/]*\.json|rollup\.config\.[^/]+|webpack\.config\.[^/]+|vite\.config\.[^/]+|babel\.config\.[^/]+|build\.gradle(\.kts)?|settings\.gradle(\.kts)?|pom\.xml|cargo\.toml|go\.mod|go\.work|build\.rs|gemfile|rakefile|requirements[^/]*\.txt|\.gitlab-ci\.yml|\.travis\.yml|jenkinsfile)$|(^|\/)(\.github|\.circleci|\.buildkite)\//i;
const SOURCE =
  /\.(py|pyi|pyx|[cm]?[jt]sx?|vue|svelte|go|rs|java|kt|kts|scala|clj|rb|php|c|h|cc|cpp|cxx|hpp|hh|cs|fs|swift|m|mm|ex|exs|erl|hs|ml|lua|pl|pm|r|jl|dart|sh|bash|zsh|ps1|sql|zig|nim|elm)$/i;

/** What part of a project a path belongs to, by name alone. A test's configuration counts before a test. */
export function classifyPath(path: string): FileClass {
  if (LOCK.test(path)) return "lock";
  if (TEST_CONFIG.test(path)) return "test_config";
  if (TEST.test(path)) return "test";
  if (BUILD.test(path)) return "build";
  if (DOCS.test(path)) return "docs";
  if (SOURCE.test(path)) return "source";
  return "other";
}
