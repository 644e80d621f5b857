// Makes the image and the folder that sandboxes run on, where they are missing. Progress goes to standard error, the
// result as JSON to standard output. Exit status 1 when there is neither afterwards.
import { buildImage } from "../dist/sandbox/image/build.js";

const result = await buildImage((line) => console.error(line));
for (const failure of result.failures) console.error(failure);
console.log(JSON.stringify(result));
process.exitCode = result.image === true || result.folder !== undefined ? 0 : 1;
