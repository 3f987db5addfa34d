import { defineCommand } from '../../kernel/cli/command.ts'
import { textTable } from '../../kernel/cli/text-table.ts'
import { withStore } from '../../kernel/cli/with-store.ts'
import { systemClock } from '../../kernel/lib/clock.ts'
import { listOrganizations } from '../../kernel/organizations/organizations.ts'
import { eventDays, previewRetention } from './retention.ts'

/** `muster retention preview` */
export const retentionPreview = defineCommand({
  name: 'retention preview',
  summary: 'Count what the daily retention jobs would delete now; deletes nothing',
  needsStore: true,
  json: true,
  settings: ['unusedAccountDays', 'silentBrowserDays', 'rawEventDays'],
  options: {},
  details: `Uses the settings in effect. To try others, pass them as flags.

Examples:
  muster retention preview
  muster retention preview --unused-account-days 365`,
  async run(context) {
    const config = context.config()
    const organizations = await withStore(
      config,
      async (db) => {
        const counts = []
        for (const { no, name } of await listOrganizations(db))
          counts.push({
            organization: name,
            ...(await previewRetention(db, no, config, systemClock.nowMs())),
          })
        return counts
      },
      { noTimeout: true },
    )
    if (context.json) {
      const { unusedAccountDays, silentBrowserDays, rawEventDays } = config
      return context.printJson({
        unusedAccountDays,
        silentBrowserDays,
        rawEventDays,
        eventDays,
        organizations,
      })
    }
    const rows = organizations.map((one) => [
      one.organization,
      config.unusedAccountDays === 0 ? 'kept' : String(one.accounts),
      ...[one.browsers, one.events, one.rawEvents].map(String),
    ])
    context.print(textTable(['ORGANIZATION', 'ACCOUNTS', 'BROWSERS', 'EVENTS', 'RAW EVENTS'], rows))
  },
})
