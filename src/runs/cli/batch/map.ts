import { usage } from '../../../core/problem.ts';
import { defineCommand } from '../../../payments/cli/command.ts';
import { result, wholeList } from '../../../payments/cli/result.ts';
import { readShape, shapeFlags } from '../flags/batch-file.ts';
import { mappingView } from '../views/payrun.ts';

export const command = defineCommand({
  description: `remit batch map                lists the mappings of this machine
remit batch map save NAME      keeps how the files of one program are read
remit batch map show NAME      shows one
remit batch map delete NAME    deletes one

A mapping has the names of the columns, how a whole name is divided, and what all rows have in common. remit batch check, plan, diff and template take it with --mapping NAME; what is said beside it is added to it, and wins. Another mapping of that name is replaced only with --force. Mappings are kept beside the profiles, and hold for all of them.`,
  args: [
    { name: 'ACTION', summary: 'save, list (the default), show or delete', optional: true },
    { name: 'NAME', summary: 'what the mapping is called, such as payroll', optional: true },
  ],
  flags: {
    ...shapeFlags,
    force: { summary: 'replace a mapping of that name that says something else' },
  },
  shows: [mappingView],
  local: 'destructive',
  examples: [
    'remit batch map save payroll --map key=Employee --map name=Payee --map bank_code=Bank --map bank_account=Account --map amount=Net --split-name last-first --type NGN::Bank --input-currency EUR --sender customer-17',
    'remit batch map',
    'remit batch map show payroll',
    'remit batch map delete payroll',
  ],
  read(input) {
    const [action = 'list', name = ''] = input.args;
    if (action !== 'save' && action !== 'list' && action !== 'show' && action !== 'delete')
      throw usage(`a mapping has no action "${action}"`, 'save, list, show or delete');
    if (action !== 'list' && name === '') throw usage(`remit batch map ${action} needs a name`);
    if (action === 'list' && name !== '') throw usage(`which is shown by remit batch map show ${name}`);
    const shape = readShape(input);
    const isSaying = Object.values(shape).some((one) =>
      typeof one === 'object' ? Object.keys(one).length > 0 : one !== undefined && one !== false,
    );
    if (action !== 'save' && (isSaying || input.flags.force))
      throw usage('how a file is read goes with remit batch map save NAME');
    return { action, name, shape, isReplacing: input.flags.force };
  },
  async run({ process }, { action, name, shape, isReplacing }) {
    const mappings = await import('../../mappings.ts');
    if (action === 'list') return wholeList(mappingView, mappings.shownMappings(process.env));
    if (action === 'show')
      return result(mappingView, mappings.shownMapping(name, mappings.mappingNamed(process.env, name)));
    if (action === 'delete')
      return result(mappingView, await mappings.deleteMapping(process, name), {
        notes: [`deleted: ${name}`],
      });
    const { saved, changes } = await mappings.saveMapping(process, name, { shape, isReplacing });
    return result(mappingView, saved, {
      notes: [
        ...(changes ?? []),
        changes === undefined
          ? `kept: ${name}`
          : changes.length === 0
            ? 'it was so before'
            : `replaced: ${name}`,
      ],
    });
  },
});
