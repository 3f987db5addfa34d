import {
  changeText,
  figureText,
  type ReportFigure,
  verdictOf,
} from '@muster/contract/console/trends/report-figures'
import { Link } from '@tanstack/react-router'
import { listLink } from '../../list/list-paths.ts'

/** A value that links to its list, if a list has exactly its rows. */
export function FigureValue({ figure: { value, unit, link } }: { figure: ReportFigure }) {
  const text = figureText(value, unit)
  return link && value !== 0 ? <Link {...listLink(link)}>{text}</Link> : text
}

/** Change of a figure against the period before, colored if it is better or worse. */
export function FigureChange({ figure }: { figure: ReportFigure }) {
  const verdict = verdictOf(figure)
  const text = changeText(figure)
  if (verdict === undefined) return <span className="soft small">{text}</span>
  return (
    <span className={`change small ${verdict === 'BETTER' ? 'better' : 'worse'}`}>
      {text} <span className="visually-hidden">{verdict === 'BETTER' ? '(better)' : '(worse)'}</span>
    </span>
  )
}

/** Figures in a grid, each with its change. */
export function FigureGrid({ figures }: { figures: readonly ReportFigure[] }) {
  return (
    <ul className="headlines compared">
      {figures.map((figure) => (
        <li key={figure.id}>
          <div className="headline">
            <span className="row">
              <span className="headline-figure">
                <FigureValue figure={figure} />
              </span>
              <FigureChange figure={figure} />
            </span>
            <span className="soft">{figure.label}</span>
          </div>
        </li>
      ))}
    </ul>
  )
}
