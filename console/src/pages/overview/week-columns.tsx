import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { weekText } from '../../ui/text/moment-text.ts'
import { type ChartSeries, stacked } from './chart-scale.ts'

const weekWidth = 20
const columnWidth = 14
const chartHeight = 100

/** Steps per arrow key: weeks and segments. */
const keySteps: Readonly<Record<string, readonly [weeks: number, segments: number]>> = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
}

/**
 * Columns of a chart. Each segment links to its list. Tab reaches one segment, initially the latest; arrow keys move
 * between them.
 */
export function WeekColumns({
  caption,
  weeks,
  series,
  top,
  format,
}: {
  caption: string
  weeks: readonly number[]
  series: readonly ChartSeries[]
  top: number
  format: (value: number) => string
}) {
  const plot = useRef<SVGSVGElement>(null)
  const isLinked = series.some(({ links }) => links)
  const columns = stacked(series, weeks.length, top)
  const latest = columns.findLastIndex((segments) => segments.length > 0)
  const [chosen, setChosen] = useState({ week: latest, segment: 0 })
  const at = columns[chosen.week]?.[chosen.segment] ? chosen : { week: latest, segment: 0 }
  const focus = (week: number, segment: number) => {
    setChosen({ week, segment })
    plot.current?.querySelector<SVGElement>(`[data-place="${week} ${segment}"]`)?.focus()
  }
  const onKeyDown = (event: React.KeyboardEvent) => {
    const [weekStep, segmentStep] = keySteps[event.key] ?? [0, 0]
    if (weekStep === 0 && segmentStep === 0) return
    event.preventDefault()
    let week = at.week + weekStep
    while (weekStep !== 0 && columns[week]?.length === 0) week += weekStep
    const segments = columns[week]
    if (segments) focus(week, Math.max(0, Math.min(at.segment + segmentStep, segments.length - 1)))
  }
  return (
    <svg
      ref={plot}
      viewBox={`0 0 ${weeks.length * weekWidth} ${chartHeight}`}
      preserveAspectRatio="none"
      role={isLinked ? 'group' : 'img'}
      aria-label={isLinked ? `${caption}; use the arrow keys to move` : caption}
      onKeyDown={onKeyDown}
    >
      {[0.5, chartHeight / 2, chartHeight - 0.5].map((y) => (
        <line key={y} x1="0" x2={weeks.length * weekWidth} y1={y} y2={y} vectorEffect="non-scaling-stroke" />
      ))}
      {columns.flatMap((segments, week) =>
        segments.map(({ series: one, value, from, height }, segment) => {
          const link = one.links?.[week]
          const text = `${one.name}, week of ${weekText(weeks[week] ?? 0)}: ${format(value)}`
          const mark = (
            <rect
              className={`mark ${one.tone}`}
              x={week * weekWidth + (weekWidth - columnWidth) / 2}
              y={chartHeight * (1 - from - height)}
              width={columnWidth}
              height={chartHeight * height}
            >
              <title>{text}</title>
            </rect>
          )
          const key = `${one.name} ${weeks[week]}`
          if (!link) return <g key={key}>{mark}</g>
          return (
            <Link
              key={key}
              {...link}
              aria-label={text}
              data-place={`${week} ${segment}`}
              tabIndex={at.week === week && at.segment === segment ? 0 : -1}
              onFocus={() => setChosen({ week, segment })}
            >
              {mark}
            </Link>
          )
        }),
      )}
    </svg>
  )
}
