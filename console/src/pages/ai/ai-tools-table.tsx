import type { AiTool } from '@muster/contract/console/console-apps'
import type { ConsoleListName } from '@muster/contract/console/console-lists'
import { Link } from '@tanstack/react-router'
import { FigureLink } from '../../list/figure-link.tsx'
import { Badge, ValueBadge } from '../../ui/badge.tsx'
import { Named } from '../../ui/monogram.tsx'
import { Moment } from '../../ui/text/moment.tsx'

/** Table of AI tools, with the accounts by the kind of their name. Each number links to its rows. */
export function AiToolsTable({ tools, fromTimestamp }: { tools: readonly AiTool[]; fromTimestamp: number }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <section className="tools-table" aria-label="AI tools" tabIndex={0}>
      <table className="figures">
        <thead>
          <tr>
            <th scope="col">Tool</th>
            <th scope="col">People</th>
            <th scope="col" aria-label="Private accounts">
              Private
            </th>
            <th scope="col" aria-label="Work accounts">
              Work
            </th>
            <th scope="col" aria-label="Accounts with a user name">
              User name
            </th>
            <th scope="col">Approval</th>
            <th scope="col">Last used</th>
          </tr>
        </thead>
        <tbody>
          {tools.map((tool) => (
            <ToolRow key={tool.id} tool={tool} fromTimestamp={fromTimestamp} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

function ToolRow({ tool, fromTimestamp }: { tool: AiTool; fromTimestamp: number }) {
  const { id, name, recognized, people, approvalStatus, lastUsedTimestamp, creationTimestamp } = tool
  const ofTool = recognized ? { appId: id } : { otherAppId: id }
  const accounts: ConsoleListName = recognized ? 'accounts' : 'accountsOther'
  const used = { ...ofTool, lastUsedTimestampAfter: String(fromTimestamp) }
  const peopleFilters = { ...ofTool, appUsedTimestampAfter: String(fromTimestamp) }
  const counts = [
    ['PRIVATE', tool.privateAccounts],
    ['WORK', tool.workAccounts],
    ['USER_NAME', tool.otherAccounts],
  ] as const
  return (
    <tr>
      <th scope="row">
        <Link to={recognized ? '/apps/$id' : '/apps-other/$id'} params={{ id }}>
          <Named name={name} of="app" />
        </Link>{' '}
        {creationTimestamp >= fromTimestamp && <Badge tone="accent">New</Badge>}
        {!recognized && <Badge>Unrecognized</Badge>}
      </th>
      <td>
        <FigureLink count={people} list="employees" filters={peopleFilters} />
      </td>
      {counts.map(([identity, count]) => (
        <td key={identity}>
          <FigureLink count={count} list={accounts} filters={{ ...used, identity }} />
        </td>
      ))}
      <td>{approvalStatus ? <ValueBadge value={approvalStatus} /> : <span className="soft">–</span>}</td>
      <td>
        <Moment seconds={lastUsedTimestamp} />
      </td>
    </tr>
  )
}
