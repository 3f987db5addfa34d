import type { EventStream } from '@muster/contract/console/console-streams'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { callConsole } from '../../data/call.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card, Facts } from '../../ui/page/card.tsx'
import { Moment } from '../../ui/text/moment.tsx'

const kindWords = {
  FILE: 'File',
  SYSLOG: 'Syslog',
  SPLUNK: 'Splunk',
  ELASTIC: 'Elasticsearch or OpenSearch',
  SENTINEL: 'Microsoft Sentinel',
  DATADOG: 'Datadog',
  HTTP: 'HTTP',
  REDIS: 'Redis',
} as const

/** State of the event streams, set by the operator or in the console. */
export function StreamsCard() {
  const { data } = useQuery({ queryKey: ['streams'], queryFn: () => callConsole('listStreams') })
  if (!data) return null
  if (data.streams.length === 0)
    return (
      <Card title="Event streams" none>
        <p className="soft">
          No event streams are configured. Set a{' '}
          <Link to="/settings/$id" params={{ id: 'streams' }}>
            syslog receiver
          </Link>{' '}
          or one of the other receivers below, or a file with <code>MUSTER_EVENTS_FILE</code> where the server
          runs.
        </p>
      </Card>
    )
  return (
    <Card title="Event streams" note="Pending events are those of this organization.">
      {data.streams.map((stream) => (
        <StreamFacts key={stream.kind} stream={stream} />
      ))}
    </Card>
  )
}

function StreamFacts({ stream }: { stream: EventStream }) {
  const { kind, target, heldUp, pending, lastError } = stream
  const { deliveredTimestamp, oldestPendingTimestamp, lastErrorTimestamp } = stream
  return (
    <section>
      <h3 className="row">
        {kindWords[kind]}
        <Badge tone={heldUp ? 'critical' : 'good'}>{heldUp ? 'Failing' : 'Healthy'}</Badge>
      </h3>
      <Facts
        facts={[
          ['Target', <code key="target">{target}</code>],
          ['Last event', <Moment key="delivered" seconds={deliveredTimestamp} never="None yet" />],
          [
            'Pending',
            oldestPendingTimestamp === null ? (
              'None'
            ) : (
              <span key="waiting">
                {pending.toLocaleString('en-GB')}, oldest <Moment seconds={oldestPendingTimestamp} />
              </span>
            ),
          ],
          [
            'Last error',
            lastError === null ? null : (
              <span key="error">
                {lastError} (<Moment seconds={lastErrorTimestamp} />)
              </span>
            ),
          ],
        ]}
      />
    </section>
  )
}
