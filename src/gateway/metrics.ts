/**
 * Figures for Prometheus: requests by route and status, streams, and what the process takes.
 */
export interface Metrics {
  requestDone(request: {
    readonly method: string
    readonly route: string
    readonly status: number
    readonly seconds: number
  }): void
  streamOpened(): void
  streamClosed(): void
  /** A request waits for something that takes its time; call what it returns when it does not any more. */
  waitBegan(): () => void
  /** A reader was cut because it was too slow. */
  readerCut(): void
  /** In Prometheus' text format. */
  text(): string
}

/** Upper bounds of the duration's buckets, in seconds. */
const BUCKETS = [0.005, 0.025, 0.1, 0.5, 2.5, 10] as const

interface RouteFigures {
  count: number
  seconds: number
  readonly buckets: number[]
}

export function createMetrics(): Metrics {
  const requests = new Map<string, number>()
  const durations = new Map<string, RouteFigures>()
  let open = 0
  let streams = 0
  let cut = 0
  let waits = 0
  return {
    requestDone({ method, route, status, seconds }) {
      const labels = `method="${method}",route="${route}"`
      const key = `${labels},status="${status}"`
      requests.set(key, (requests.get(key) ?? 0) + 1)
      const figures = durations.get(labels) ?? { count: 0, seconds: 0, buckets: BUCKETS.map(() => 0) }
      figures.count += 1
      figures.seconds += seconds
      BUCKETS.forEach((bound, index) => {
        if (seconds <= bound) figures.buckets[index] = (figures.buckets[index] ?? 0) + 1
      })
      durations.set(labels, figures)
    },
    streamOpened() {
      open += 1
      streams += 1
    },
    streamClosed() {
      open -= 1
    },
    waitBegan() {
      waits += 1
      return () => {
        waits -= 1
      }
    },
    readerCut() {
      cut += 1
    },
    text: () =>
      [
        ...family(
          'turnstep_http_requests_total',
          'counter',
          'Requests answered.',
          [...requests].map(([labels, value]) => [`{${labels}}`, value]),
        ),
        ...family(
          'turnstep_http_request_duration_seconds',
          'histogram',
          'Time until the answer began.',
          [...durations].flatMap(([labels, figures]) => histogram(labels, figures)),
        ),
        ...family('turnstep_streams_open', 'gauge', 'Event streams that are open.', [['', open]]),
        ...family('turnstep_waits_open', 'gauge', 'Requests that wait for a turn.', [['', waits]]),
        ...family('turnstep_streams_total', 'counter', 'Event streams opened.', [['', streams]]),
        ...family('turnstep_readers_cut_total', 'counter', 'Readers cut because they were too slow.', [
          ['', cut],
        ]),
        ...processFigures(),
        '',
      ].join('\n'),
  }
}

type Sample = readonly [suffix: string, value: number]

function family(name: string, type: string, help: string, samples: readonly Sample[]): readonly string[] {
  return [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...samples.map(([suffix, value]) => `${name}${suffix} ${value}`),
  ]
}

function histogram(labels: string, { count, seconds, buckets }: RouteFigures): readonly Sample[] {
  return [
    ...BUCKETS.map((bound, index): Sample => [`_bucket{${labels},le="${bound}"}`, buckets[index] ?? 0]),
    [`_bucket{${labels},le="+Inf"}`, count],
    [`_sum{${labels}}`, seconds],
    [`_count{${labels}}`, count],
  ]
}

function processFigures(): readonly string[] {
  const { user, system } = process.cpuUsage()
  const { rss, heapUsed } = process.memoryUsage()
  const started = Date.now() / 1_000 - process.uptime()
  return [
    ...family('process_cpu_seconds_total', 'counter', 'CPU time, user and system.', [
      ['', (user + system) / 1e6],
    ]),
    ...family('process_resident_memory_bytes', 'gauge', 'Resident memory.', [['', rss]]),
    ...family('nodejs_heap_size_used_bytes', 'gauge', "V8's heap in use.", [['', heapUsed]]),
    ...family('process_start_time_seconds', 'gauge', 'When the process started, since 1970.', [
      ['', started],
    ]),
  ]
}
