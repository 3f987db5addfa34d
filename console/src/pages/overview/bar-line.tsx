import { Link } from '@tanstack/react-router'

/** A number with its name and a bar, leading to its list. */
export function BarLine({
  text,
  count,
  most,
  path,
  tone = '',
}: {
  text: string
  count: number
  most: number
  path: string
  tone?: string
}) {
  return (
    <li>
      <Link to={path} className="bar-row">
        <span>{text}</span>
        <meter className={tone} min={0} max={most} value={count} aria-hidden="true" />
        <span className="figure">{count.toLocaleString('en-GB')}</span>
      </Link>
    </li>
  )
}
