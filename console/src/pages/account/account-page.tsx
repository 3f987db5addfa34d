import { useQuery } from '@tanstack/react-query'
import { callConsole } from '../../data/call.ts'
import { useSession } from '../../data/session.ts'
import { Page } from '../../ui/page/page.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { labelOf } from '../../ui/text/labels.ts'
import { PasswordCard } from './password-card.tsx'
import { SecondFactorsCard } from './second-factors-card.tsx'
import { SessionsCard } from './sessions-card.tsx'

/** Sign-in methods and sessions of the signed-in administrator. */
export function AccountPage() {
  const { data: session } = useSession()
  const { data: methods } = useQuery({
    queryKey: ['sign-in-methods'],
    queryFn: () => callConsole('readSignInMethods'),
  })
  const person = session?.administrator
  return (
    <Page>
      <PageHead title="Security and sessions" />
      {person && (
        <p className="soft">
          {person.name} · {person.email} · {labelOf(person.role)}
        </p>
      )}
      {methods && (
        <>
          <SecondFactorsCard methods={methods} />
          <PasswordCard hasPassword={methods.password} />
          <SessionsCard />
        </>
      )}
    </Page>
  )
}
