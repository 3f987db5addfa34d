import type { ReactNode } from 'react'
import { Isolated } from '../text/isolated.tsx'

/** A section of a page with a heading. */
export function Card({
  title,
  note,
  actions,
  none = false,
  children,
}: {
  title: string
  /** Description below the heading. */
  note?: string
  /** Shows an empty card in a single line. */
  none?: boolean
  actions?: ReactNode
  children: ReactNode
}) {
  return (
    <section className={none ? 'card none' : 'card'}>
      <div className="card-head">
        {note === undefined ? (
          <h2>{title}</h2>
        ) : (
          <div>
            <h2>{title}</h2>
            <p className="soft">{note}</p>
          </div>
        )}
        {actions}
      </div>
      {children}
    </section>
  )
}

/** Definition list. Facts without a value are omitted. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="facts">
      {facts
        .filter(([, value]) => value !== null && value !== undefined && value !== false && value !== '')
        .map(([name, value]) => (
          <Fact key={name} name={name} value={value} />
        ))}
    </dl>
  )
}

function Fact({ name, value }: { name: string; value: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <Isolated>{value}</Isolated>
      </dd>
    </>
  )
}
