import { dayText } from '../../ui/moment-text.ts'
import type { DayRequests } from './key-hours.ts'

const height = 100
const width = 10

/** Requests by day, as bars; for those who do not see them, as a table. */
export function RequestsChart({ days }: { days: readonly DayRequests[] }) {
  const most = Math.max(1, ...days.map(({ requests }) => requests))
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
        {days.map(({ dayTimestamp, requests }, index) => {
          const tall = (requests / most) * (height - 4)
          return (
            <rect key={dayTimestamp} x={index * width + 1} y={height - tall} width={width - 2} height={tall}>
              <title>{`${dayText(dayTimestamp)}: ${requests}`}</title>
            </rect>
          )
        })}
      </svg>
      <table className="visually-hidden">
        <caption>Requests by day</caption>
        <tbody>
          {days.map(({ dayTimestamp, requests }) => (
            <tr key={dayTimestamp}>
              <th scope="row">{dayText(dayTimestamp)}</th>
              <td>{requests}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  )
}
