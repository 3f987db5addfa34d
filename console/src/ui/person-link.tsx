import { Link } from '@tanstack/react-router'
import { nameOf, usePerson } from '../data/person.ts'
import { useLinkTabIndex } from './in-grid.ts'

/** The name of an employee, leading to their page. */
export function PersonLink({ id, plain = false }: { id: string | null; plain?: boolean }) {
  const { data, isPending } = usePerson(id)
  const tabIndex = useLinkTabIndex()
  if (id === null) return <span className="soft">–</span>
  const name = data ? nameOf(data) : isPending ? '…' : 'Unknown'
  if (plain || !data) return <span>{name}</span>
  return (
    <Link to="/employees/$id" params={{ id }} tabIndex={tabIndex}>
      {name}
    </Link>
  )
}
