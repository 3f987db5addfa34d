import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { weekText } from '../../ui/text/moment-text.ts'
import { type ChartSeries, stacked } from './chart-scale.ts'

const step = 20
const wide = 14
const high = 100

/** Steps per arrow key: weeks and segments. */
const ways: Readonly<Record<string, readonly [weeks: number, pieces: number]>> = {
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
}: {
  caption: string
  weeks: readonly number[]
  series: readonly ChartSeries[]
  top: number
}) {
  const plot = useRef<SVGSVGElement>(null)
  const columns = stacked(series, weeks.length, top)
  const latest = columns.findLastIndex((pieces) => pieces.length > 0)
  const [chosen, setChosen] = useState({ week: latest, piece: 0 })
  const at = columns[chosen.week]?.[chosen.piece] ? chosen : { week: latest, piece: 0 }
  const focus = (week: number, piece: number) => {
    setChosen({ week, piece })
    plot.current?.querySelector<SVGElement>(`[data-place="${week} ${piece}"]`)?.focus()
  }
  const onKeyDown = (event: React.KeyboardEvent) => {
    const [weekStep, pieceStep] = ways[event.key] ?? [0, 0]
    if (weekStep === 0 && pieceStep === 0) return
    event.preventDefault()
    let week = at.week + weekStep
    while (weekStep !== 0 && columns[week]?.length === 0) week += weekStep
    const pieces = columns[week]
    if (pieces) focus(week, Math.max(0, Math.min(at.piece + pieceStep, pieces.length - 1)))
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be an SVG
    <svg
      ref={plot}
      viewBox={`0 0 ${weeks.length * step} ${high}`}
      preserveAspectRatio="none"
      role="group"
      aria-label={`${caption}; use the arrow keys to move`}
      onKeyDown={onKeyDown}
    >
      {[0.5, high / 2, high - 0.5].map((y) => (
        <line key={y} x1="0" x2={weeks.length * step} y1={y} y2={y} vectorEffect="non-scaling-stroke" />
      ))}
      {columns.flatMap((pieces, week) =>
        pieces.map(({ series: one, value, from, tall }, piece) => {
          const text = `${one.name}, week of ${weekText(weeks[week] ?? 0)}: ${value.toLocaleString('en-GB')}`
          return (
            <Link
              key={`${one.name} ${weeks[week]}`}
              to={one.pathOf(week)}
              aria-label={text}
              data-place={`${week} ${piece}`}
              tabIndex={at.week === week && at.piece === piece ? 0 : -1}
              onFocus={() => setChosen({ week, piece })}
            >
              <rect
                className={`mark ${one.tone}`}
                x={week * step + (step - wide) / 2}
                y={high * (1 - from - tall)}
                width={wide}
                height={high * tall}
              >
                <title>{text}</title>
              </rect>
            </Link>
          )
        }),
      )}
    </svg>
  )
}
