import { defineCommand } from '../../kernel/cli/command.ts'
import { textTable } from '../../kernel/cli/text-table.ts'
import { withStore } from '../../kernel/cli/with-store.ts'
import { systemClock } from '../../kernel/lib/clock.ts'
import { firstOrganization, listOrganizations } from '../../kernel/organizations/organizations.ts'
import { configsInEffect } from '../settings/organization-configs.ts'
import { eventDays, previewRetention } from './retention.ts'

/** `muster retention preview` */
export const retentionPreview = defineCommand({
  name: 'retention preview',
  summary: 'Count what the daily retention jobs would delete now; deletes nothing',
  needsStore: true,
  json: true,
  settings: ['unusedAccountDays', 'silentBrowserDays', 'rawEventDays'],
  options: {},
  details: `Uses the settings in effect for each organization. To try others, pass them as flags.

Examples:
  muster retention preview
  muster retention preview --unused-account-days 365`,
  async run(context) {
    const config = context.config()
    const organizations = await withStore(
      config,
      async (db) => {
        const counts = []
        const { config: first, others } = await configsInEffect(config)
        for (const { no, name } of await listOrganizations(db)) {
          const own = others.find(({ organization }) => organization === name)?.config
          const used = own ?? (no === firstOrganization ? first : config)
          const { unusedAccountDays, silentBrowserDays } = used
          counts.push({
            organization: name,
            unusedAccountDays,
            silentBrowserDays,
            ...(await previewRetention(db, no, used, systemClock.nowMs())),
          })
        }
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
      one.unusedAccountDays === 0 ? 'kept' : String(one.accounts),
      ...[one.browsers, one.events, one.rawEvents].map(String),
    ])
    context.print(textTable(['ORGANIZATION', 'ACCOUNTS', 'BROWSERS', 'EVENTS', 'RAW EVENTS'], rows))
  },
})
