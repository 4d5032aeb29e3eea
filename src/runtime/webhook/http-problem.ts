// A request that cannot be answered as asked, as an HTTP status and words that are safe to send to anybody.

export class HttpProblem extends Error {
  override readonly name = 'HttpProblem';
  readonly status: number;

  constructor(status: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}
