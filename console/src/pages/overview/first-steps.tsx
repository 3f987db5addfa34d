import { Link } from '@tanstack/react-router'
import { Card } from '../../ui/page/card.tsx'

/** First steps for an empty organization. */
export function FirstSteps() {
  return (
    <Card title="Get started">
      <ol className="lines">
        <li>
          <span className="grow">Add the employees whose browsers you want to protect.</span>
          <Link to="/employees">Employees</Link>
        </li>
        <li>
          <span className="grow">
            Send each of them an enrollment link from their page. It connects their browser.
          </span>
          <Link to="/employees">Employees</Link>
        </li>
        <li>
          <span className="grow">Choose how browsers respond to threats: monitor, warn or block.</span>
          <Link to="/controls/protections">Protections</Link>
        </li>
        <li>
          <span className="grow">Create an API key for programs that read the inventory.</span>
          <Link to="/keys">API keys</Link>
        </li>
      </ol>
    </Card>
  )
}
