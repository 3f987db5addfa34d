import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { ChevronDown, ChevronLeft, ChevronUp } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ListSearch } from '../../data/list-search.ts'
import type { PagePath } from '../../list/record-path.ts'
import { neighborOf, positionOf, searchOf } from '../../list/visited-lists.ts'
import { PushButton } from '../button.tsx'
import { useKeys } from '../keys/use-keys.ts'
import { countText } from '../text/counted.ts'

interface Back {
  readonly path: PagePath
  readonly title: string
}

/** Link back to the parent page. */
export function Crumb({
  path,
  search = {},
  title,
  children,
}: Back & { search?: ListSearch; children?: ReactNode }) {
  return (
    <div className="crumbs">
      <Link to={path} search={search} className="crumb">
        <ChevronLeft aria-hidden />
        {title}
      </Link>
      {children}
    </div>
  )
}

const group = 'This record'

/** Link back to the list of a record, with links to the previous and next record. */
export function ListCrumb({ path, title }: Back) {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const search = searchOf(path)
  const go = (to: string | undefined) => () => {
    if (to !== undefined) void navigate({ to })
  }
  const [before, behind] = [neighborOf(pathname, -1), neighborOf(pathname, 1)]
  useKeys([
    { keys: 'j', title: 'Next record', group, run: go(behind) },
    { keys: 'k', title: 'Previous record', group, run: go(before) },
    {
      keys: 'u',
      title: 'Back to list',
      group,
      run: () => void navigate({ to: path, search }),
    },
  ])
  const at = positionOf(pathname)
  return (
    <Crumb path={path} search={search} title={title}>
      {at && at.count !== 1 && (
        <span className="neighbors">
          <span className="soft small">
            {countText(at.position)}
            {at.count !== undefined && ` of ${countText(at.count)}`}
          </span>
          <StepButton name="Previous" keys="k" onClick={go(before)} disabled={before === undefined}>
            <ChevronUp />
          </StepButton>
          <StepButton name="Next" keys="j" onClick={go(behind)} disabled={behind === undefined}>
            <ChevronDown />
          </StepButton>
        </span>
      )}
    </Crumb>
  )
}

function StepButton({
  name,
  keys,
  ...rest
}: {
  name: string
  keys: string
  disabled: boolean
  onClick: () => void
  children: ReactNode
}) {
  return <PushButton kind="quiet icon" aria-label={`${name} record`} title={`${name} (${keys})`} {...rest} />
}
