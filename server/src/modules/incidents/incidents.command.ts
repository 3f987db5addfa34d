import { type Incident, incidentStatuses, incidents } from '@muster/contract/console/incidents/incident'
import { defineCommand } from '../../kernel/cli/command.ts'
import { momentText } from '../../kernel/cli/moments.ts'
import { textTable } from '../../kernel/cli/text-table.ts'
import { organizationNamed, orgOption, withStore } from '../../kernel/cli/with-store.ts'
import { listSorted } from '../../kernel/query/sorted-list.ts'
import { incidentMembers } from './incident-lists.service.ts'
import { groupMarkedDetections } from './incidents-job.ts'

const maxShown = 1000

/** `muster incidents list` */
export const incidentsList = defineCommand({
  name: 'incidents list',
  summary: 'List incidents, which are detections that belong together; those last seen first',
  needsStore: true,
  json: true,
  options: {
    org: orgOption,
    status: { type: 'text', choices: incidentStatuses, help: 'only incidents with this status' },
  },
  details: `Lists at most ${maxShown}.\n\nExample:\n  muster incidents list --status OPEN --json`,
  async run(context, { options }) {
    const found = await withStore(context.config(), async (db) => {
      const { no: org } = await organizationNamed(db, options.org)
      await groupMarkedDetections(db)
      const { records } = await listSorted(db, {
        collection: incidents,
        org,
        filters: options.status === undefined ? {} : { status: options.status },
        sort: { member: 'lastActivityTimestamp', descending: true },
        cursor: undefined,
        limit: maxShown,
      })
      const all = records.map((text) => JSON.parse(text) as Incident)
      const added = await incidentMembers(db, { org }, all)
      return all.map((one) => ({ ...one, ...added(one) }))
    })
    if (context.json) return context.printJson(found)
    if (found.length === 0) return context.note('No incidents.')
    const cells = found.map((one) => [
      one.status,
      one.severity,
      one.title ?? '',
      String(one.people),
      `${one.openDetections} of ${one.detections}`,
      momentText(one.creationTimestamp),
      momentText(one.lastActivityTimestamp),
      one.assigneeName ?? '',
    ])
    const head = ['STATUS', 'SEVERITY', 'TITLE', 'PEOPLE', 'OPEN', 'FIRST SEEN', 'LAST SEEN', 'ASSIGNEE']
    context.print(textTable(head, cells))
  },
})
