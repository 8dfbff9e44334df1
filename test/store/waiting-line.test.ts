import { describe, expect, it } from 'vitest'
import { WaitingLine } from '../../src/store/waiting-line.ts'

const FAR = Number.POSITIVE_INFINITY

describe('WaitingLine', () => {
  it('lets one at a time try, in order of arrival', async () => {
    const line = new WaitingLine()
    const trace: string[] = []
    const visit = (name: string) =>
      line.run(FAR, async () => {
        trace.push(`${name} comes`)
        await Promise.resolve()
        trace.push(`${name} goes`)
      })
    await Promise.all([visit('a'), visit('b')])
    expect(trace).toEqual(['a comes', 'a goes', 'b comes', 'b goes'])
  })

  it('goes on after one has failed', async () => {
    const line = new WaitingLine()
    const failing = line.run(FAR, () => Promise.reject(new Error('busy')))
    const next = line.run(FAR, () => Promise.resolve('done'))
    await expect(failing).rejects.toThrow('busy')
    expect(await next).toBe('done')
    expect(line.isEmpty).toBe(true)
  })

  it('fails those whose deadline has passed as the one before failed, without a try', async () => {
    const line = new WaitingLine()
    const tries: string[] = []
    const failing = line.run(FAR, () => Promise.reject(new Error('busy')))
    const late = line.run(0, async () => tries.push('late'))
    await expect(failing).rejects.toThrow('busy')
    await expect(late).rejects.toThrow('busy')
    expect(tries).toEqual([])
  })

  it('lets those whose deadline has passed try when the one before succeeded', async () => {
    const line = new WaitingLine()
    const [first, late] = [line.run(FAR, async () => 'first'), line.run(0, async () => 'late')]
    expect(await Promise.all([first, late])).toEqual(['first', 'late'])
  })
})
