import { cliAuditContext } from '../../kernel/cli/cli-actor.ts'
import type { CommandContext } from '../../kernel/cli/command.ts'
import { textTable } from '../../kernel/cli/text-table.ts'
import type { Organization } from '../../kernel/organizations/organizations.ts'
import type { Db } from '../../kernel/store/sql.ts'
import type { ImportTarget } from './import-lines.ts'
import type { Rejects } from './import-rejects.ts'
import { type ImportSummary, newSummary, totalOf } from './import-report.ts'
import { collectWarnings } from './import-warnings.ts'

/** Import from its start to its report. */
export interface ImportSession {
  /** Returns the target of the import in an open store. */
  on(db: Db): ImportTarget
  readonly summary: ImportSummary
  /**
   * Prints the result. @returns the exit code: 1 if a line was rejected or a file could not be read completely
   */
  report(db: Db): Promise<number>
  close(): void
}

/** @param earlier summary of the earlier part of a resumed import */
export function startImport(
  context: CommandContext,
  organization: Organization,
  rejects: Rejects,
  earlier: ImportSummary = newSummary(),
): ImportSession {
  const collector = collectWarnings(organization.no)
  const summary = structuredClone(earlier)
  const rejectedBefore = totalOf(earlier).rejected
  return {
    on: (db) => ({
      db,
      org: organization.no,
      by: cliAuditContext(),
      summary,
      collector,
      reject: rejects.add,
    }),
    summary,
    close: rejects.close,
    report: async (db) => {
      const warnings = await collector.warnings(db)
      const total = totalOf(summary)
      if (context.json) context.printJson({ organization: organization.name, ...summary, total, warnings })
      else context.print(summaryTable(summary))
      for (const { resource, member, target, count, example } of warnings) {
        const problem = target === null ? 'is not an e-mail address' : `does not exist in ${target}`
        context.note(
          `Warning: ${count} ${resource} have a ${member} that ${problem}, for example ${example.value} in ${example.id}.`,
        )
      }
      for (const { file, lines, reason } of summary.incomplete) {
        const [after, rest] = lines > 0 ? [` after line ${lines}`, 'The rest'] : ['', 'It']
        context.note(`${file} cannot be read${after}: ${reason}. ${rest} was not imported.`)
      }
      rejects.printSummary(total.rejected, rejectedBefore)
      return total.rejected > 0 || summary.incomplete.length > 0 ? 1 : 0
    },
  }
}

function summaryTable(summary: ImportSummary): string {
  const rows = Object.entries(summary.resources).map(([name, counts]) => [name, counts] as const)
  const all = [...rows, ['all', totalOf(summary)] as const]
  return textTable(
    ['RESOURCE', 'ADDED', 'REPLACED', 'UNCHANGED', 'REJECTED'],
    all.map(([name, { added, replaced, unchanged, rejected }]) =>
      [name, added, replaced, unchanged, rejected].map(String),
    ),
  )
}
