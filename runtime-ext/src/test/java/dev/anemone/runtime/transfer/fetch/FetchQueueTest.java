// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.property.DataStore;
import dev.anemone.runtime.shuffle.format.Producer;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.transfer.announcement.BlockAnnouncement;
import dev.anemone.runtime.transfer.announcement.BlockLocation;
import dev.anemone.runtime.transfer.announcement.FetchOutcome;
import dev.anemone.runtime.transfer.announcement.InputEvent;
import dev.anemone.runtime.transfer.announcement.Source;
import dev.anemone.runtime.transfer.announcement.SourceFeed;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What comes when, and who is blamed. */
@Timeout(20)
class FetchQueueTest {

  private static final BlockLocation DEAD = new BlockLocation("dead", 1);
  private static final BlockLocation DEAD_TOO = new BlockLocation("deadToo", 1);
  private static final BlockLocation WELL = new BlockLocation("well", 1);

  /** Trouble that is twice as old is forgotten; no test takes so long between two lines. */
  private static final Duration PENALTY = Duration.ofMillis(500);

  /** So patient that no host is given up, and so quick that nobody notices the waits. */
  private static final FetchSettings PATIENT = settings(Duration.ofSeconds(30));

  private static final FetchSettings IMPATIENT = settings(Duration.ofMillis(1));

  private final List<String> lost = new ArrayList<>();
  private final SourceFeed feed =
      new SourceFeed(
          (source, version, loss, reason) ->
              lost.add(source.index() + " version " + version + " " + loss));
  private final Set<BlockLocation> reachable = new HashSet<>();
  private HostLedger hosts = new HostLedger(IMPATIENT);
  private FetchQueue queue = queue(false);

  private static FetchSettings settings(Duration patience) {
    return new FetchSettings(
        Duration.ofSeconds(1),
        Duration.ofSeconds(1),
        patience,
        PENALTY,
        1,
        1,
        FetchSettings.AHEAD_BYTES);
  }

  private FetchQueue queue(boolean lastAttempt) {
    return new FetchQueue(
        feed,
        hosts,
        reachable::contains,
        announced -> announced.announcement().location(),
        new AtOnce(),
        lastAttempt);
  }

  /** Fetches in no time; whether with success is up to the test. */
  private final class AtOnce implements BlockFetcher {

    @Override
    public void begin(BlockLocation location, List<InputEvent.Announced> blocks) {
      blocks.forEach(
          block ->
              feed.add(
                  new InputEvent.Fetched(
                      block, new FetchOutcome.Failed(new IOException("nobody looks at this")))));
    }

    @Override
    public void close() {}
  }

  private void use(FetchSettings settings) {
    hosts = new HostLedger(settings);
    queue = queue(false);
  }

  private void announce(int index, int version, BlockLocation location) {
    BitSet filled = new BitSet();
    filled.set(0);
    feed.add(
        new InputEvent.Announced(
            new Source("p", index),
            version,
            BlockAnnouncement.ofBlock(
                new Producer(index, version),
                new BlockId("p_" + index),
                DataStore.LOCAL_FILE,
                Optional.of(location),
                filled,
                true,
                0)));
  }

  private void withdraw(int index, int version) {
    feed.add(new InputEvent.Withdrawn(new Source("p", index), version));
  }

  /** Which one comes next, as in "3 version 0". */
  private String next() throws IOException, InterruptedException {
    InputEvent event = queue.take();
    return event instanceof InputEvent.Announced announced
        ? announced.source().index() + " version " + announced.version()
        : event.getClass().getSimpleName();
  }

  /** What a fetch does whose host says nothing, and whose connection takes as long as patience. */
  private void fail(BlockLocation location, FetchSettings settings) throws SelfBlame {
    hosts.failed(location, System.nanoTime() - settings.patience().toNanos(), false);
    failQuickly(location);
  }

  private void failQuickly(BlockLocation location) throws SelfBlame {
    try {
      queue.failed(new HostFailureException(location + " is away", false, null));
    } catch (ConsumerFaultException e) {
      throw new SelfBlame(e);
    }
  }

  /** After this, what was answered before is no proof any more. */
  private static void awaitPatience() {
    long end = System.nanoTime() + 2 * IMPATIENT.patience().toNanos();
    while (System.nanoTime() - end < 0) {
      Thread.onSpinWait();
    }
  }

  /** That the attempt blames itself. */
  private static final class SelfBlame extends Exception {

    private static final long serialVersionUID = 1L;

    SelfBlame(ConsumerFaultException cause) {
      super(cause.getMessage(), cause);
    }
  }

  @Test
  void blocksOfAHostInTroubleWaitBehindAllOthers() throws Exception {
    use(PATIENT);
    announce(0, 0, DEAD);
    announce(1, 0, DEAD);
    announce(2, 0, WELL);
    assertThat(next()).isEqualTo("0 version 0");
    hosts.failed(DEAD, System.nanoTime(), false);
    failQuickly(DEAD);
    assertThat(next()).isEqualTo("2 version 0");
    hosts.answered(DEAD);
    assertThat(next()).as("the host is well again").isEqualTo("1 version 0");
    assertThat(next()).as("the one that failed comes last").isEqualTo("0 version 0");
    assertThat(lost).isEmpty();
  }

  @Test
  void allBlocksOfAHostThatIsGivenUpAreReportedTogether() throws Exception {
    for (int i = 0; i < 4; i++) {
      announce(i, i, DEAD);
    }
    assertThat(next()).isEqualTo("0 version 0");
    fail(DEAD, IMPATIENT);
    assertThat(lost)
        .containsExactlyInAnyOrder(
            "0 version 0 UNREACHABLE",
            "1 version 1 UNREACHABLE",
            "2 version 2 UNREACHABLE",
            "3 version 3 UNREACHABLE");
  }

  @Test
  void theyAreReportedAgainAfterThePenalty() throws Exception {
    announce(0, 0, DEAD);
    next();
    fail(DEAD, IMPATIENT);
    assertThat(next()).as("after the penalty").isEqualTo("0 version 0");
    fail(DEAD, IMPATIENT);
    assertThat(lost).containsExactly("0 version 0 UNREACHABLE", "0 version 0 UNREACHABLE");
  }

  @Test
  void whatIsWithdrawnIsNeverTriedAgain() throws Exception {
    announce(0, 0, DEAD);
    announce(1, 0, DEAD);
    announce(2, 0, DEAD);
    assertThat(next()).isEqualTo("0 version 0");
    fail(DEAD, IMPATIENT);
    withdraw(0, 0);
    withdraw(1, 0);
    withdraw(2, 7);
    announce(1, 1, WELL);
    assertThat(next()).isEqualTo("Withdrawn");
    assertThat(next()).isEqualTo("Withdrawn");
    assertThat(next()).isEqualTo("Withdrawn");
    assertThat(List.of(next(), next()))
        .as("of the third, another version was withdrawn")
        .containsExactlyInAnyOrder("1 version 1", "2 version 0");
    withdraw(2, 0);
    assertThat(next()).isEqualTo("Withdrawn");
    announce(3, 0, WELL);
    assertThat(next()).as("nothing else is left").isEqualTo("3 version 0");
  }

  @Test
  void whatIsAnnouncedAgainTakesThePlaceOfTheFormer() throws Exception {
    announce(0, 0, WELL);
    announce(0, 1, WELL);
    announce(1, 0, WELL);
    assertThat(next()).isEqualTo("0 version 1");
    assertThat(next()).isEqualTo("1 version 0");
  }

  @Test
  void aHostIsRememberedByTheNextReader() throws Exception {
    use(PATIENT);
    hosts.failed(DEAD, System.nanoTime(), false);
    announce(0, 0, DEAD);
    announce(1, 0, WELL);
    assertThat(next()).isEqualTo("1 version 0");
  }

  @Test
  void whatAHostAnnouncesThatWasGivenUpIsTriedBeforeItIsReported() throws Exception {
    use(
        new FetchSettings(
            Duration.ofSeconds(1),
            Duration.ofSeconds(1),
            Duration.ofMillis(1),
            Duration.ofHours(1),
            1,
            1,
            FetchSettings.AHEAD_BYTES));
    hosts.failed(DEAD, System.nanoTime() - 10_000_000, false);
    announce(0, 0, DEAD);
    announce(1, 0, DEAD);
    assertThat(next()).isEqualTo("0 version 0");
    assertThat(lost).isEmpty();
    hosts.failed(DEAD, System.nanoTime(), false);
    failQuickly(DEAD);
    assertThat(lost)
        .containsExactlyInAnyOrder("1 version 0 UNREACHABLE", "0 version 0 UNREACHABLE");
  }

  @Test
  void anAttemptThatReachesNobodyBlamesNobody() throws Exception {
    hosts.failed(DEAD_TOO, System.nanoTime(), false);
    announce(0, 0, DEAD);
    next();
    assertThatThrownBy(() -> fail(DEAD, IMPATIENT)).hasMessageContaining("none of 2 nodes");
    assertThat(lost).isEmpty();
  }

  @Test
  void aHostThatAnsweredBeforeIsAskedWhetherThisNodeIsCutOff() throws Exception {
    hosts.answered(WELL);
    awaitPatience();
    announce(0, 0, DEAD);
    next();
    assertThatThrownBy(() -> fail(DEAD, IMPATIENT)).hasMessageContaining("none of 2 nodes");
    assertThat(lost).isEmpty();
    hosts.answered(WELL);
    awaitPatience();
    reachable.add(WELL);
    next();
    fail(DEAD, IMPATIENT);
    assertThat(lost).containsExactly("0 version 0 UNREACHABLE");
  }

  @Test
  void theLastAttemptBlamesAllOnce() throws Exception {
    queue = queue(true);
    announce(0, 0, DEAD);
    announce(1, 0, DEAD_TOO);
    next();
    hosts.failed(DEAD_TOO, System.nanoTime(), false);
    fail(DEAD, IMPATIENT);
    assertThat(lost).containsExactly("0 version 0 UNREACHABLE");
    announce(0, 1, WELL);
    assertThat(next()).isEqualTo("0 version 1");
    assertThatThrownBy(() -> fail(WELL, IMPATIENT)).hasMessageContaining("nodes can be reached");
  }

  @Test
  void whatIsAnnouncedOnceIsNotAnnouncedAgain() throws Exception {
    announce(0, 0, WELL);
    announce(1, 0, WELL);
    assertThat(List.of(next(), next())).containsExactly("0 version 0", "1 version 0");
    assertThat(queue.announcedAgain()).isEmpty();
    announce(1, 1, WELL);
    assertThat(queue.announcedAgain())
        .extracting(InputEvent.Announced::version)
        .containsExactlyInAnyOrder(0, 1);
  }

  @Test
  void whatIsAnnouncedAgainBeforeTheLastWasTakenIsNotForgotten() throws Exception {
    announce(0, 0, WELL);
    assertThat(next()).isEqualTo("0 version 0");
    withdraw(0, 0);
    announce(0, 1, WELL);
    announce(1, 0, WELL);
    assertThat(queue.announcedAgain())
        .extracting(InputEvent.Announced::version)
        .containsExactlyInAnyOrder(1, 0);
  }
}
