import { expect, test } from 'vitest'
import { detectionStory } from './detection-story.ts'

test('describes the person, the host and the response', () => {
  const facts = {
    detectionType: 'PHISHING',
    response: 'EMPLOYEE_IGNORED_WARNING',
    url: 'https://login.example.net:8443/a?b',
  } as const
  expect(detectionStory(facts, 'Ada Byron')).toBe(
    'A page at login.example.net:8443 tried to steal the credentials of Ada Byron. They were warned but continued anyway.',
  )
})

test('omits an unknown host', () => {
  const facts = { detectionType: 'BLOCKED_URL', response: 'BLOCKED', url: null } as const
  expect(detectionStory(facts, 'Ada')).toBe(
    'Ada opened an address that the organization blocks. It was blocked.',
  )
})
