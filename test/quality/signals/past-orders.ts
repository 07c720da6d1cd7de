import type { DataSet, Order, Task } from '../data-set';

/** What of a data set's orders and earlier tasks is known at a moment; time only goes forward. */
export class PastOrders {
  /** Product -> numbers of the orders it is in. */
  readonly ordersWith = new Map<string, number[]>();
  /** Query -> product -> how often it was bought after that query. */
  readonly after = new Map<string, Map<string, number>>();
  readonly orders: string[][] = [];
  private readonly times: number[] = [];
  private readonly byUser = new Map<string, Order[]>();
  private nextOrder = 0;
  private nextTask = 0;

  constructor(private readonly data: DataSet) {}

  /** Everything before a time. */
  goTo(time: number): void {
    const { orders, tasks } = this.data;
    for (let order = orders[this.nextOrder]; order && order.at < time; order = orders[++this.nextOrder])
      this.note(order);
    for (let task = tasks[this.nextTask]; task && task.at < time; task = tasks[++this.nextTask]) this.noteTask(task);
  }

  of(userId: string): readonly Order[] {
    return this.byUser.get(userId) ?? [];
  }

  /** Numbers of the orders from a time on and before another. */
  between(from: number, to: number): number[] {
    return this.times.flatMap((at, number) => (at >= from && at < to ? number : []));
  }

  private note(order: Order): void {
    const number = this.orders.length;
    const products = [...new Set(order.items.map(({ pid }) => pid))];
    this.orders.push(products);
    this.times.push(order.at);
    for (const pid of products) {
      const known = this.ordersWith.get(pid);
      if (known) known.push(number);
      else this.ordersWith.set(pid, [number]);
    }
    const own = this.byUser.get(order.userId);
    if (own) own.push(order);
    else this.byUser.set(order.userId, [order]);
  }

  private noteTask({ query, relevant }: Task): void {
    const known = this.after.get(query) ?? new Map<string, number>();
    this.after.set(query, known);
    for (const pid of relevant) known.set(pid, (known.get(pid) ?? 0) + 1);
  }
}
