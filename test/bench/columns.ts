// Text in straight columns, for terminals.

/** Lines in which every column begins at the same place. */
export function aligned(table: readonly (readonly string[])[]): readonly string[] {
  const columns = Math.max(0, ...table.map((cells) => cells.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...table.map((cells) => cells[column]?.length ?? 0)),
  );
  return table.map((cells) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('   ')
      .trimEnd(),
  );
}
