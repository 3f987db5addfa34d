import type { Directory, DirectoryToken } from '@muster/contract/console/directory/console-directory'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { callConsole } from '../../data/call.ts'
import { useHasRole } from '../../data/session.ts'
import { PushButton } from '../../ui/button.tsx'
import { useNewDialog } from '../../ui/dialog/use-new-dialog.ts'
import { Card, Facts } from '../../ui/page/card.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { Page } from '../../ui/page/page.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { TokenList } from '../../ui/page/token-list.tsx'
import { CopyText } from '../../ui/text/copy-button.tsx'
import { DirectoryTokenDialog } from './directory-token-dialog.tsx'

/** Page of the directories that manage employees by SCIM. */
export function DirectoryPage() {
  const client = useQueryClient()
  const isOwner = useHasRole('OWNER')
  const [creating, setCreating] = useNewDialog('Create token', isOwner)
  const { data } = useQuery({ queryKey: ['directory'], queryFn: () => callConsole('readDirectory') })
  const reload = () => void client.invalidateQueries({ queryKey: ['directory'] })
  const create = isOwner && (
    <PushButton kind="primary" onClick={() => setCreating(true)}>
      <Plus />
      Create token
    </PushButton>
  )
  return (
    <Page>
      <PageHead title="Directory">{create}</PageHead>
      <p className="soft">
        Your identity provider adds, updates and offboards employees by SCIM 2.0. The{' '}
        <Link to="/guide/$id" params={{ id: 'scim' }}>
          guide
        </Link>{' '}
        has the steps for Okta, Microsoft Entra ID and Google Workspace.
      </p>
      {data && (
        <>
          <Card title="Connection">
            <Facts
              facts={[
                ['Base URL', <CopyText key="url" text={data.baseUrl} what="URL" />],
                [
                  'Users',
                  `${data.users.toLocaleString('en-GB')}, ${data.activeUsers.toLocaleString('en-GB')} active`,
                ],
                ['Groups', data.groups.toLocaleString('en-GB')],
              ]}
            />
          </Card>
          <Tokens tokens={data.tokens} isOwner={isOwner} create={create} onChange={reload} />
          {data.problems > 0 && <Problems directory={data} />}
        </>
      )}
      {creating && data && (
        <DirectoryTokenDialog baseUrl={data.baseUrl} onClose={() => setCreating(false)} onCreated={reload} />
      )}
    </Page>
  )
}

function Tokens({
  tokens,
  isOwner,
  create,
  onChange,
}: {
  tokens: readonly DirectoryToken[]
  isOwner: boolean
  create: React.ReactNode
  onChange: () => void
}) {
  if (tokens.length === 0)
    return (
      <EmptyState title="No directory connected">
        <p className="soft">
          {isOwner
            ? 'Create a token and enter it in your identity provider.'
            : 'An owner can create a token.'}
        </p>
        {create}
      </EmptyState>
    )
  return (
    <TokenList
      title="Tokens"
      tokens={tokens}
      facts={({ assignsLicenses }) =>
        assignsLicenses ? 'active users get a license' : 'users get no license'
      }
      mayWrite={isOwner}
      revoke={(id) => callConsole('revokeDirectoryToken', { id })}
      effect="The identity provider can no longer change employees. Users and groups stay as they are."
      onChange={onChange}
    />
  )
}

const problemWords = {
  NO_ADDRESS: 'No email address, so there is no employee.',
  ADDRESS_TAKEN: 'The address belongs to another person.',
} as const

function Problems({ directory: { problems, problemUsers } }: { directory: Directory }) {
  return (
    <Card
      title="Users to check"
      note={`${problems.toLocaleString('en-GB')} without an employee or with an address of another person. Correct the address in the directory, or merge the employees.`}
    >
      <ul className="lines">
        {problemUsers.map(({ userName, problem, employeeId }) => (
          <li key={userName}>
            <span className="grow">
              {userName}
              <br />
              <span className="soft small">{problemWords[problem]}</span>
            </span>
            {employeeId !== null && (
              <Link to="/employees/$id" params={{ id: employeeId }}>
                Employee
              </Link>
            )}
          </li>
        ))}
      </ul>
      {problems > problemUsers.length && <p className="soft">And more</p>}
    </Card>
  )
}
