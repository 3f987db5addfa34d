import type { Figure } from '@muster/contract/console/figure-links'
import { Link } from '@tanstack/react-router'
import { listLink } from '../../list/list-paths.ts'

/** A labeled bar that links to its list. */
export function BarLine({
  text,
  figure: { count, link },
  most,
  tone = '',
}: {
  text: string
  figure: Figure
  most: number
  tone?: string
}) {
  return (
    <li>
      <Link {...listLink(link)} className="bar-row">
        <span>{text}</span>
        <meter className={tone} min={0} max={most} value={count} aria-hidden="true" />
        <span className="figure">{count.toLocaleString('en-GB')}</span>
      </Link>
    </li>
  )
}
