export type AssumptionRow = readonly [id: string, area: string, rule: string, why: string, where: string];
