import { dayText } from '../text/moment-text.ts'
import { useTimeZone } from '../text/time-zone.ts'
import type { DaySums } from './day-sums.ts'

const height = 100
const width = 10

/** One color of the stacked bars. */
interface BarSeries<M extends string> {
  readonly member: M
  readonly name: string
  /** CSS class from `charts.css`. */
  readonly tone: string
}

/** Stacked bars of numbers per day, with a visually hidden table for screen readers. */
export function DayBars<M extends string>({
  caption,
  days,
  series,
}: {
  caption: string
  days: readonly DaySums<M>[]
  series: readonly BarSeries<M>[]
}) {
  useTimeZone()
  const sumOf = (day: DaySums<M>) => series.reduce((sum, { member }) => sum + day[member], 0)
  const most = Math.max(1, ...days.map(sumOf))
  const scale = (height - 4) / most
  return (
    <figure>
      <svg
        className="hours"
        viewBox={`0 0 ${days.length * width} ${height}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <line
          x1="0"
          x2={days.length * width}
          y1={height - 0.5}
          y2={height - 0.5}
          vectorEffect="non-scaling-stroke"
        />
        {days.flatMap((day, index) => {
          let top = height
          return series.map(({ member, name, tone }) => {
            const tall = day[member] * scale
            top -= tall
            return (
              <rect
                key={`${day.dayTimestamp} ${member}`}
                className={`mark ${tone}`}
                x={index * width + 1}
                y={top}
                width={width - 2}
                height={tall}
              >
                <title>{`${dayText(day.dayTimestamp)}: ${day[member]} ${name.toLowerCase()}`}</title>
              </rect>
            )
          })
        })}
      </svg>
      <p className="row soft small" aria-hidden="true">
        <span className="grow">{days.length} days ago</span>today
      </p>
      <table className="visually-hidden">
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            {series.map(({ member, name }) => (
              <th key={member} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map((day) => (
            <tr key={day.dayTimestamp}>
              <th scope="row">{dayText(day.dayTimestamp)}</th>
              {series.map(({ member }) => (
                <td key={member}>{day[member]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  )
}
