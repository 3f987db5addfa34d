import type { Webhook } from '@muster/contract/console/console-webhooks'
import { useQuery } from '@tanstack/react-query'
import { callConsole } from '../../data/call.ts'
import { DayBars } from '../../ui/chart/day-bars.tsx'
import { sumsByDay } from '../../ui/chart/day-sums.ts'
import { Card } from '../../ui/page/card.tsx'
import { counted } from '../../ui/text/counted.ts'
import { nowSeconds } from '../../ui/text/moment-text.ts'
import { useTimeZone } from '../../ui/text/time-zone.ts'

const daysShown = 30

/** Delivery attempts per day. */
export function HealthCard({ webhook }: { webhook: Webhook }) {
  const { data } = useQuery({
    queryKey: ['webhooks', webhook.id, 'hours'],
    queryFn: () => callConsole('readWebhookHours', { id: webhook.id }),
  })
  const hours = data?.hours ?? []
  useTimeZone()
  const days = sumsByDay(hours, ['delivered', 'failed'], { days: daysShown, nowSeconds: nowSeconds() })
  const latest = hours.at(-1)
  return (
    <Card title="Health">
      <p className="soft">
        Last 24 hours: {counted(webhook.dayDelivered, 'attempt')} acknowledged,{' '}
        {webhook.dayFailed.toLocaleString('en-GB')} failed.
        {latest &&
          ` Average response time in the latest hour: ${latest.latencyMs.toLocaleString('en-GB')} ms.`}
      </p>
      <DayBars
        caption="Attempts by day"
        days={days}
        series={[
          { member: 'delivered', name: 'Acknowledged', tone: 'good' },
          { member: 'failed', name: 'Failed', tone: 'critical' },
        ]}
      />
      <p className="soft small">
        If 95 % of at least 50 attempts fail within 24 hours, and one event fails all its attempts, the
        endpoint is disabled and administrators are notified.
      </p>
    </Card>
  )
}
