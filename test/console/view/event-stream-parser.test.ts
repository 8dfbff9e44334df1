import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EventStreamParser } from '../../../src/console/api/event-stream-parser.ts'

const STREAM =
  'retry: 100\n\nid: 1\nevent: turn/start\ndata: {"a":1}\n\n:\n\nid: 2\r\ndata: two\r\ndata:  lines\r\n\r\nevent: empty\n\ndata\n\n'

const MESSAGES = [
  { event: 'turn/start', data: '{"a":1}', lastEventId: '1' },
  { event: 'message', data: 'two\n lines', lastEventId: '2' },
  { event: 'message', data: '', lastEventId: '2' },
]

describe('EventStreamParser', () => {
  it('reads messages, comments left out', () => {
    expect(new EventStreamParser().push(STREAM)).toEqual(MESSAGES)
  })

  it('reads the same however the stream is cut', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(STREAM.length)), (cuts) => {
        const ends = [0, ...cuts.sort((a, b) => a - b), STREAM.length]
        const parser = new EventStreamParser()
        const read = ends.slice(1).flatMap((end, index) => parser.push(STREAM.slice(ends[index], end)))
        expect(read).toEqual(MESSAGES)
      }),
    )
  })

  it('says nothing of a message that is not whole', () => {
    expect(new EventStreamParser().push('data: half\n')).toEqual([])
  })
})
