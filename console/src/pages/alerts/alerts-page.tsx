import type { AlertRule } from '@muster/contract/console/alerts/alert-rule'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { callConsole } from '../../data/call.ts'
import { useReload } from '../../data/record.ts'
import { useHasRole } from '../../data/session.ts'
import { Badge } from '../../ui/badge.tsx'
import { PushButton } from '../../ui/button.tsx'
import { useNewDialog } from '../../ui/dialog/use-new-dialog.ts'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { Page } from '../../ui/page/page.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { counted } from '../../ui/text/counted.ts'
import { AlertDialog } from './alert-dialog.tsx'
import { conditionsText, receiverText, ruleState, scheduleText } from './alert-words.ts'

/** Page of alert rules. */
export function AlertsPage() {
  const mayWrite = useHasRole('FULL_ACCESS')
  const reload = useReload()
  const [adding, setAdding] = useNewDialog('Add alert rule', mayWrite)
  const { data } = useQuery({ queryKey: ['alerts'], queryFn: () => callConsole('listAlertRules') })
  const add = mayWrite && (
    <PushButton kind="primary" onClick={() => setAdding(true)}>
      <Plus />
      Add rule
    </PushButton>
  )
  return (
    <Page>
      <PageHead title="Alerts">{data && data.rules.length > 0 && add}</PageHead>
      <p className="soft">
        Rules tell people about events by e-mail or in the tools they use, at once or as a digest. An incident
        is one message, however many detections it has.
      </p>
      {data?.allowsPrivate && (
        <p className="notice">
          Private and loopback addresses are allowed by a server setting. Receivers may be inside your
          network.
        </p>
      )}
      {data?.rules.length === 0 && (
        <EmptyState title="No alert rules yet">
          <p className="soft">Send detections, findings and new apps to the people who respond to them.</p>
          {add}
        </EmptyState>
      )}
      {data && data.rules.length > 0 && (
        <section className="card">
          <ul className="lines">
            {data.rules.map((rule) => (
              <RuleLine key={rule.id} rule={rule} timeZone={data.timeZone} />
            ))}
          </ul>
        </section>
      )}
      {adding && <AlertDialog onClose={() => setAdding(false)} onDone={reload} />}
    </Page>
  )
}

function RuleLine({ rule, timeZone }: { rule: AlertRule; timeZone: string }) {
  const { text, tone } = ruleState(rule)
  return (
    <li>
      <span className="rule-text">
        <Link to="/alerts/$id" params={{ id: rule.id }}>
          {rule.name}
        </Link>
        <br />
        <span className="soft small">
          {conditionsText(rule)} · {receiverText(rule)}
        </span>
      </span>
      <span className="soft small">
        {scheduleText(rule, timeZone)}
        {rule.waiting > 0 && ` · ${counted(rule.waiting, 'event')} waiting`}
      </span>
      <Badge tone={tone}>{text}</Badge>
    </li>
  )
}
