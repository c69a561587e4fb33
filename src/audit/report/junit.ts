/** The report for CI, in the form that JUnit made common: a finding is a failure, what was not tried is skipped. */
import { xmlText } from '../../tables/xml-text.ts';
import type { AuditReport } from './record.ts';

export function junitOf({ findings, not_tried, cases, took_ms, verdict }: AuditReport): string {
  const attribute = (text: string): string => xmlText(text).replace(/"/g, '&quot;');
  const failures = findings.map(
    ({ says, payment, replay, requests }) =>
      `    <testcase classname="remit sandbox audit" name="${attribute(`${payment}: ${says}`)}">\n` +
      `      <failure message="${attribute(says)}">${xmlText([...requests.map(requestLine), replay].join('\n'))}</failure>\n    </testcase>\n`,
  );
  const passed =
    findings.length > 0
      ? []
      : [
          `    <testcase classname="remit sandbox audit" name="${attribute(verdict)}" time="${took_ms / 1000}"/>\n`,
        ];
  const skipped = not_tried.map(
    (what) =>
      `    <testcase classname="remit sandbox audit" name="${attribute(`not tried: ${what}`)}"><skipped/></testcase>\n`,
  );
  const all = [...failures, ...passed, ...skipped];
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n  <testsuite name="remit sandbox audit, ${cases} cases" tests="${all.length}" failures="${findings.length}" skipped="${skipped.length}" time="${took_ms / 1000}">\n${all.join('')}  </testsuite>\n</testsuites>\n`;
}

/** One request in one line, as every form of the report has it. */
export function requestLine({
  ms,
  start,
  request,
  way,
  done,
  told,
}: AuditReport['findings'][number]['requests'][number]): string {
  const met = way === null ? '' : `  [${way}]`;
  const was = done === null ? 'not done' : `service: ${done}`;
  const end = request.startsWith('webhook ') ? `answered: ${told}` : `${was}, told: ${told}`;
  return `${String(ms).padStart(6)} ms  start ${start}  ${request}  ${end}${met}`;
}
