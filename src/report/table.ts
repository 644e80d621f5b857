import { visible } from "../visible.ts";

/** Rows as aligned text, columns two spaces apart. Numbers stand right; hidden characters are escaped. */
export function textTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const shown = [header, ...rows].map((row) => row.map((cell) => visible(cell).replaceAll("\n", " ")));
  const widths = header.map((_, column) => Math.max(...shown.map((row) => displayWidth(row[column] ?? ""))));
  const numeric = header.map((_, column) =>
    rows.every((row) => /^(-|[-+]?\d[\d.,e+-]*%?|)$/.test(row[column] ?? "")),
  );
  return shown
    .map((row) =>
      row
        .map((cell, column) => {
          const pad = " ".repeat((widths[column] ?? 0) - displayWidth(cell));
          return numeric[column] === true ? pad + cell : cell + pad;
        })
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** Columns in a terminal, with wide East Asian characters and emoji as two. */
function displayWidth(text: string): number {
  let width = 0;
  for (const char of text)
    width +=
      /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u.test(
        char,
      )
        ? 2
        : 1;
  return width;
}

/** Rows as a Markdown table. Bars, backslashes and line ends in cells are escaped. */
export function markdownTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => markdownText(cell).replace(/[\\|]/g, "\\$&").replaceAll("\n", " ")).join(" | ")} |`;
  return [line(header), `| ${header.map(() => "---").join(" | ")} |`, ...rows.map(line)].join("\n");
}

/** Foreign text inside a page: nothing hidden, and no markup that a viewer would run. */
export function markdownText(text: string): string {
  return visible(text).replaceAll("<", "&lt;");
}

/** A number for people: up to four significant digits, no trailing zeros. Null is a dash, never zero. */
export function shortNumber(value: number | null | undefined): string {
  if (value === null || value === undefined) return "-";
  return value === 0 ? "0" : String(Number(value.toPrecision(4)));
}
