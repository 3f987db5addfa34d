import '../../styles/charts.css'
import { useQuery } from '@tanstack/react-query'
import { callConsole } from '../../data/call.ts'
import { Card } from '../../ui/page/card.tsx'
import { labelOf } from '../../ui/text/labels.ts'
import { WeekChart } from '../overview/week-chart.tsx'

const tones = ['one', 'two', 'good', 'high', 'medium', 'low'] as const

/** Chart of the sign-ins to an app by method and week. */
export function SignInsCard({ id }: { id: string }) {
  const { data } = useQuery({
    queryKey: ['app-sign-ins', id],
    queryFn: () => callConsole('readAppSignIns', { id }),
  })
  const title = 'Sign-in methods by week'
  const note = 'Accounts by the week of their last sign-in with each method'
  if (data?.methods.length === 0)
    return (
      <Card title={title} note={note} none>
        <p className="soft">No sign-ins in the last 12 weeks</p>
      </Card>
    )
  const series = data?.methods.map(({ method, accounts }, at) => ({
    name: labelOf(method),
    tone: tones[at % tones.length] ?? 'one',
    values: accounts,
  }))
  return (
    <Card title={title} note={note}>
      {data && series && <WeekChart caption={note} weeks={data.weekTimestamps} series={series} />}
    </Card>
  )
}
