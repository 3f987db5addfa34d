import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { PushButton } from '../../ui/button.tsx'
import { weekText } from '../../ui/text/moment-text.ts'
import { type ChartSeries, roundedUp, weekSum } from './chart-scale.ts'
import { WeekColumns } from './week-columns.tsx'

const numberText = (value: number): string => value.toLocaleString('en-GB')

interface WeekChartProps {
  readonly caption: string
  readonly weeks: readonly number[]
  readonly series: readonly ChartSeries[]
  /** Text below the last column. */
  readonly last?: string
  /** Formats a value. */
  readonly format?: (value: number) => string
  /** Maximum of the scale; by default it follows the values. */
  readonly most?: number
}

/** Column chart by week with a table view. Each segment links to its list. */
export function WeekChart({
  caption,
  weeks,
  series,
  last = 'this week',
  format = numberText,
  most,
}: WeekChartProps) {
  const [asTable, setAsTable] = useState(false)
  const top = most ?? roundedUp(Math.max(...weeks.map((_, week) => weekSum(series, week))))
  return (
    <figure className="week-chart">
      {asTable ? (
        <WeekTable caption={caption} weeks={weeks} series={series} format={format} />
      ) : (
        <>
          <div className="plot">
            <span className="scale soft small" aria-hidden="true">
              {format(top)}
            </span>
            <WeekColumns caption={caption} weeks={weeks} series={series} top={top} format={format} />
          </div>
          <p className="row soft small" aria-hidden="true">
            <span className="grow">{weekText(weeks[0] ?? 0)}</span>
            {last}
          </p>
        </>
      )}
      <figcaption className="row wrap small">
        {series.length > 1 &&
          series.map(({ name, tone }) => (
            <span key={name} className="legend">
              <svg viewBox="0 0 10 10" aria-hidden="true">
                <rect className={`mark ${tone}`} width="10" height="10" rx="2" />
              </svg>
              {name}
            </span>
          ))}
        <span className="grow" />
        <PushButton
          kind="quiet small"
          aria-pressed={asTable}
          aria-label={`View as table: ${caption}`}
          onClick={() => setAsTable(!asTable)}
        >
          View as table
        </PushButton>
      </figcaption>
    </figure>
  )
}

function WeekTable({
  caption,
  weeks,
  series,
  format,
}: Pick<WeekChartProps, 'caption' | 'weeks' | 'series'> & { format: (value: number) => string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <section className="table-scroll" aria-label={caption} tabIndex={0}>
      <table className="figures">
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">Week of</th>
            {series.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((from, week) => (
            <tr key={from}>
              <th scope="row">{weekText(from)}</th>
              {series.map(({ name, values, links }) => {
                const link = links?.[week]
                const value = values[week] === undefined ? 0 : values[week]
                const text = value === null ? '–' : format(value)
                return <td key={name}>{link ? <Link {...link}>{text}</Link> : text}</td>
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
