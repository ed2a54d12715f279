// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.pushwires;

import com.sun.management.OperatingSystemMXBean;
import dev.anemone.evaluation.lab.process.LineProcess;
import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.memory.TaskMemory;
import dev.anemone.runtime.push.PushOutcome;
import dev.anemone.runtime.push.PushReceiver;
import dev.anemone.runtime.push.PushSender;
import dev.anemone.runtime.push.PushWires;
import dev.anemone.runtime.push.PushedBatches;
import dev.anemone.runtime.push.protocol.JobSecret;
import dev.anemone.runtime.push.wires.InstalledWires;
import dev.anemone.runtime.shuffle.format.Producer;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * A receiver and tasks that push to it over one wire. For each line that it reads, a task pushes
 * all bytes, and the program says {@code pushed}, the ns of wall and of processor time that this
 * took until all had been acknowledged, and the batches. It ends with its standard input.
 */
public final class PushProgram {
  static final String PUSHED = "pushed";

  private static final String JOB = "push-wires";
  private static final int SENDER_PAGES = 32;
  private static final int CHUNK_BYTES = 4 << 10;

  private final PushWires wires;
  private final TaskMemory sending;
  private final PushReceiver receiver;
  private final ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES);
  private int tasks;

  private PushProgram(PushWires wires, TaskMemory sending, PushReceiver receiver) {
    this.wires = wires;
    this.sending = sending;
    this.receiver = receiver;
  }

  /** Arguments: the wire, and the bytes that a task pushes. */
  public static void main(String[] args) throws Exception {
    long bytes = Long.parseLong(args[1]);
    long received = bytes + bytes / 8;
    long sent = (long) SENDER_PAGES * PagePool.PAGE_BYTES;
    PagePool pool = new PagePool(sent + received);
    try (PushWires wires = InstalledWires.open(args[0], pool, JobSecret.random());
        TaskMemory sending = new TaskMemory(pool, sent);
        TaskMemory receiving = new TaskMemory(pool, received);
        PushReceiver receiver =
            PushReceiver.open(
                wires,
                InetAddress.getLoopbackAddress(),
                new PushReceiver.Settings(JOB),
                receiving,
                () -> {})) {
      new PushProgram(wires, sending, receiver).answer(bytes);
    }
  }

  private void answer(long bytes) throws IOException, InterruptedException {
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    BufferedReader in = LineProcess.orders();
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      long batches = receiver.counters().batches();
      long processor = system.getProcessCpuTime();
      long begin = System.nanoTime();
      push(bytes);
      long wall = System.nanoTime() - begin;
      long used = system.getProcessCpuTime() - processor;
      long pushed = receiver.counters().batches() - batches;
      System.out.println(PUSHED + " " + wall + " " + used + " " + pushed);
    }
  }

  private void push(long bytes) throws IOException, InterruptedException {
    Producer producer = new Producer(tasks++, 0);
    try (PushSender sender =
        new PushSender(
            new PushSender.Settings(JOB, producer),
            wires,
            sending,
            partition -> 0,
            1,
            target -> Optional.of(receiver.address()),
            () -> {
              throw new IOException("not all could be pushed, so that this measures nothing");
            })) {
      for (long sent = 0; sent < bytes; sent += CHUNK_BYTES) {
        sender.accept(0, chunk.clear(), CHUNK_BYTES);
      }
      PushOutcome outcome = sender.finish();
      try (PushedBatches taken =
          receiver.take(producer, outcome.pushed().get(0).batches()).orElseThrow()) {
        if (taken.bytes() < bytes) {
          throw new IOException("of " + bytes + " bytes " + taken.bytes() + " have arrived");
        }
      }
    }
  }
}
