import type { ReactNode } from 'react'
import { Isolated } from '../text/isolated.tsx'

/** A part of a page with a heading of its own. */
export function Card({
  title,
  note,
  actions,
  none = false,
  children,
}: {
  title: string
  /** What it is about, under the heading. */
  note?: string
  /** There is nothing in it but a word that says so: it takes one line. */
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

/** Names with their values; those without a value are left out. */
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
