/** Root help is made at the build, so help is laid out for these widths: as wide as the terminal lets it be, in steps of ten. */
export const helpWidths: readonly number[] = [40, 50, 60, 70, 80, 90, 100];

export const helpWidth = (columns: number): number => helpWidths.findLast((width) => width <= columns) ?? 40;
