// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.relational.RowType;
import dev.anemone.ndp.engine.database.JoinOrder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlanDatabasesTest {

  private static final PlanInput COPY = new Placed(JoinOrder.OF_THE_ENGINE, false);
  private static final PlanInput LINK = new Placed(JoinOrder.OF_THE_ENGINE, true);

  @TempDir Path directory;
  private Path work;

  @BeforeEach
  void makeDirectory() throws IOException {
    work = Files.createDirectory(directory.resolve("work"));
  }

  @Test
  void onlyWhatIsSharedIsOpenedAhead() throws Exception {
    try (PlanDatabases shared = PlanDatabases.shared(TestLimits.in(work), 2);
        PlanDatabases apart = new PlanDatabases(TestLimits.in(work))) {
      shared.openForCopies();
      Path given = Files.writeString(shared.directory(COPY).resolve("input"), "given\n");
      try (Connection database = connect(shared, given, JoinOrder.OF_THE_ENGINE)) {
        assertThat(read(database, given.toString())).isEqualTo("given");
      }
      assertThatThrownBy(apart::openForCopies).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void plansOfOneJobReachTheirFilesAndNoOthers() throws Exception {
    try (PlanDatabases databases = PlanDatabases.shared(TestLimits.in(work), 2)) {
      Path readable = databases.directory(COPY);
      Path plan = Files.createDirectory(readable.resolve("plan"));
      Path given = Files.writeString(plan.resolve("input"), "given\n");
      Files.writeString(work.resolve("secret"), "secret\n");
      Path similar = Files.createDirectory(work.resolve(readable.getFileName() + "2"));
      Files.writeString(similar.resolve("secret"), "secret\n");
      try (Connection database = connect(databases, given, JoinOrder.OF_THE_ENGINE)) {
        assertThat(read(database, given.toString())).isEqualTo("given");
        for (String other :
            List.of(
                work + "/secret",
                similar + "/secret",
                plan + "/../../secret",
                readable + "/../secret",
                "/etc/hostname")) {
          assertThatThrownBy(() -> read(database, other))
              .as(other)
              .isInstanceOf(SQLException.class)
              .hasMessageContaining("Permission Error");
        }
      }
    }
  }

  @Test
  void plansOfOneJobShareADatabaseForEachOrderOfJoins() throws Exception {
    try (PlanDatabases databases = PlanDatabases.shared(TestLimits.in(work), 2)) {
      Path file = Files.writeString(databases.directory(COPY).resolve("input"), "given\n");
      try (Connection one = connect(databases, file, JoinOrder.OF_THE_ENGINE);
          Connection beside = connect(databases, file, JoinOrder.OF_THE_ENGINE);
          Connection other = connect(databases, file, JoinOrder.OF_THE_QUERY)) {
        run(one, "CREATE TABLE t AS SELECT 7 AS i");
        run(beside, "SELECT i FROM t");
        assertThatThrownBy(() -> run(other, "SELECT i FROM t")).hasMessageContaining("t");
        // What a plan keeps for itself no other one sees.
        run(one, "CREATE TEMP TABLE own AS SELECT 7 AS i");
        assertThatThrownBy(() -> run(beside, "SELECT i FROM own")).hasMessageContaining("own");
      }
    }
    try (var left = Files.list(work)) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void onlyASharedDatabaseHasTheMemoryOfSeveralPlans() throws Exception {
    try (PlanDatabases databases = PlanDatabases.shared(TestLimits.in(work), 2)) {
      Path file = Files.writeString(databases.directory(COPY).resolve("input"), "given\n");
      try (Connection shared = connect(databases, file, JoinOrder.OF_THE_ENGINE);
          Connection alone = databases.connect(LINK, List.of(file), directory.resolve("spill"))) {
        assertThat(memoryLimit(shared)).isEqualTo("512.0 MiB");
        assertThat(memoryLimit(alone)).isEqualTo("256.0 MiB");
      }
    }
  }

  private static String memoryLimit(Connection database) throws SQLException {
    try (Statement statement = database.createStatement();
        ResultSet limit = statement.executeQuery("SELECT current_setting('memory_limit')")) {
      limit.next();
      return limit.getString(1);
    }
  }

  @Test
  void plansThatDoNotKnowEachOtherHaveOneEach() throws Exception {
    try (PlanDatabases databases = new PlanDatabases(TestLimits.in(work))) {
      Path mine = Files.writeString(work.resolve("mine"), "mine\n");
      Path yours = Files.writeString(work.resolve("yours"), "yours\n");
      try (Connection database = connect(databases, mine, JoinOrder.OF_THE_ENGINE);
          Connection beside = connect(databases, yours, JoinOrder.OF_THE_ENGINE)) {
        assertThat(read(database, mine.toString())).isEqualTo("mine");
        assertThat(read(beside, yours.toString())).isEqualTo("yours");
        assertThatThrownBy(() -> read(database, yours.toString()))
            .hasMessageContaining("Permission Error");
      }
    }
  }

  @Test
  void whatMayBeALinkHasADatabaseOfItsOwn() throws Exception {
    Path elsewhere = Files.writeString(directory.resolve("elsewhere"), "linked\n");
    try (PlanDatabases databases = PlanDatabases.shared(TestLimits.in(work), 2)) {
      assertThat(databases.directory(LINK)).isEqualTo(work);
      Path link = Files.createSymbolicLink(databases.directory(COPY).resolve("input"), elsewhere);
      try (Connection database =
              databases.connect(LINK, List.of(link), directory.resolve("spill"));
          Connection shared = connect(databases, link, JoinOrder.OF_THE_ENGINE)) {
        assertThat(read(database, link.toString())).isEqualTo("linked");
        assertThatThrownBy(() -> read(shared, link.toString()))
            .hasMessageContaining("Permission Error");
      }
    }
  }

  private Connection connect(PlanDatabases databases, Path file, JoinOrder order)
      throws IOException, SQLException {
    return databases.connect(new Placed(order, false), List.of(file), directory.resolve("spill"));
  }

  /** What lies where the engine reads it. */
  private record Placed(JoinOrder joinOrder, boolean mayBeLinks) implements PlanInput {

    @Override
    public void place(Path file, LongConsumer watch) {}

    @Override
    public ScanQuery query(
        Connection database, RowType scan, GroupFilter wanted, Path file, LongConsumer watch) {
      return ScanQuery.of("FROM read_csv('" + file + "')");
    }
  }

  private static String read(Connection database, String file) throws SQLException {
    try (Statement statement = database.createStatement();
        ResultSet rows =
            statement.executeQuery("SELECT * FROM read_csv('" + file + "', header = false)")) {
      rows.next();
      return rows.getString(1);
    }
  }

  private static void run(Connection database, String sql) throws SQLException {
    try (Statement statement = database.createStatement()) {
      statement.execute(sql);
    }
  }
}
