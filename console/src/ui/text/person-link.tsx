import { Link } from '@tanstack/react-router'
import { useContext } from 'react'
import { personName, usePerson } from '../../data/person.ts'
import { InGrid, useLinkTabIndex } from '../keys/in-grid.ts'
import { Named } from '../monogram.tsx'

/** Name of an employee that links to their page. */
export function PersonLink({ id, plain = false }: { id: string | null; plain?: boolean }) {
  const { data, isPending } = usePerson(id)
  const inGrid = useContext(InGrid)
  const tabIndex = useLinkTabIndex()
  if (id === null) return <span className="soft">–</span>
  const name = data ? personName(data) : isPending ? '…' : 'Unknown'
  if (plain || !data) return <bdi>{name}</bdi>
  return (
    <Link to="/employees/$id" params={{ id }} tabIndex={tabIndex}>
      {inGrid ? <Named name={name} of="person" /> : <bdi>{name}</bdi>}
    </Link>
  )
}
