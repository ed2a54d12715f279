// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.harness;

import dev.anemone.beam.operator.BeamFunctionProvider;
import dev.anemone.beam.spec.JobPayload;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.runtime.event.MetricValues;
import dev.anemone.runtime.memory.MemoryLedger;
import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.spi.AgreedFile;
import dev.anemone.runtime.spi.CommitAction;
import dev.anemone.runtime.spi.ElementOperator;
import dev.anemone.runtime.spi.GroupOperator;
import dev.anemone.runtime.spi.KeyGroup;
import dev.anemone.runtime.spi.Operator;
import dev.anemone.runtime.spi.OperatorContext;
import dev.anemone.runtime.spi.Receiver;
import dev.anemone.runtime.spi.RecordTable;
import dev.anemone.runtime.spi.SizedReceiver;
import dev.anemone.runtime.spi.SpillFile;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.file.LocalFileStore;
import dev.anemone.runtime.table.RecordTables;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.values.WindowedValue;

/**
 * A task of one operator: makes the operator of its spec as a worker would, feeds it, and keeps
 * what it outputs and reports.
 */
public final class InMemoryTask implements OperatorContext, AutoCloseable {

  private static final BeamFunctionProvider PROVIDER = new BeamFunctionProvider();

  private final FunctionSpec spec;
  private final Map<String, Receiver> outputs = new HashMap<>();
  private final Map<String, List<Object>> collected = new HashMap<>();
  private final Map<String, List<? extends WindowedValue<?>>> sides = new HashMap<>();
  private final Map<String, Object> shared = new HashMap<>();
  private final List<byte[]> reports = new ArrayList<>();
  private final List<CommitAction> afterCommit = new ArrayList<>();
  private PipelineOptions options = PipelineOptionsFactory.create();
  private long memoryBudgetBytes = 64 << 20;
  private int sideInputElementBytes = 16;
  private RecordTables tables;
  private InMemoryAgreedFile agreedFile = new InMemoryAgreedFile();
  private int sideInputReads;
  private int tablesBegun;

  /** A task that runs the operator of this spec. */
  public InMemoryTask(FunctionSpec spec) {
    this.spec = spec;
  }

  /** Gives the operator a side input. */
  public InMemoryTask withSideInput(String name, List<? extends WindowedValue<?>> elements) {
    sides.put(name, elements);
    return this;
  }

  /** Sends an output to a receiver instead of keeping it. */
  public InMemoryTask withReceiver(String output, Receiver receiver) {
    outputs.put(output, receiver);
    return this;
  }

  public InMemoryTask withMemoryBudget(long bytes) {
    memoryBudgetBytes = bytes;
    return this;
  }

  /** Says how large the elements of side inputs are on their edges. */
  public InMemoryTask withSideInputElements(int bytes) {
    sideInputElementBytes = bytes;
    return this;
  }

  /** Lets the operator make tables, below a directory. */
  public InMemoryTask withTables(Path directory) {
    tables =
        new RecordTables(
            MemoryLedger.ofOneJob(new PagePool(RecordTables.LEAST_BYTES), RecordTables.LEAST_BYTES),
            new LocalFileStore(directory),
            RecordTables.LEAST_BYTES,
            1 << 20);
    return this;
  }

  /** Makes the operator's task an attempt of one that agrees on this file. */
  public InMemoryTask withAgreedFile(InMemoryAgreedFile file) {
    agreedFile = file;
    return this;
  }

  public InMemoryTask withOptions(PipelineOptions newOptions) {
    options = newOptions;
    return this;
  }

  /** Runs an element operator over the elements; gives what it put into its main output. */
  public List<WindowedValue<Object>> run(List<? extends WindowedValue<?>> elements)
      throws Exception {
    ElementOperator operator = (ElementOperator) operator();
    try {
      operator.open(this);
      for (WindowedValue<?> element : elements) {
        operator.accept(element);
      }
      operator.finish();
    } finally {
      operator.close();
    }
    return output(IREdge.MAIN, 0);
  }

  /** Runs a group operator over the groups; gives what it put into its main output. */
  public List<WindowedValue<Object>> runGroups(Iterable<? extends KeyGroup> groups)
      throws Exception {
    GroupOperator operator = (GroupOperator) operator();
    try {
      operator.open(this);
      for (KeyGroup group : groups) {
        operator.acceptGroup(group);
      }
      operator.finish();
    } finally {
      operator.close();
    }
    return output(IREdge.MAIN, 0);
  }

  /** A new operator of the spec, not opened. */
  public Operator operator() throws Exception {
    return PROVIDER.operator(spec, this);
  }

  /** What went into an output, from the given position on. */
  @SuppressWarnings("unchecked") // operators output nothing but windowed values
  public List<WindowedValue<Object>> output(String name, int from) {
    List<Object> elements = collected.getOrDefault(name, List.of());
    List<WindowedValue<Object>> windowed = new ArrayList<>();
    for (Object element : elements.subList(from, elements.size())) {
      windowed.add((WindowedValue<Object>) element);
    }
    return windowed;
  }

  /** What the operator reported. */
  public List<byte[]> reports() {
    return reports;
  }

  /** How often a side input was read. */
  public int sideInputReads() {
    return sideInputReads;
  }

  @Override
  public String vertexName() {
    return "Step";
  }

  @Override
  public String vertexId() {
    return "vertex";
  }

  @Override
  public Receiver output(String name) {
    Receiver receiver = outputs.get(name);
    return receiver != null
        ? receiver
        : element -> collected.computeIfAbsent(name, key -> new ArrayList<>()).add(element);
  }

  @Override
  public Set<String> sideInputs() {
    return sides.keySet();
  }

  @Override
  public void readSideInput(String name, SizedReceiver receiver) throws Exception {
    sideInputReads++;
    List<? extends WindowedValue<?>> elements = sides.get(name);
    if (elements == null) {
      throw new IllegalArgumentException("no side input " + name);
    }
    for (WindowedValue<?> element : elements) {
      receiver.accept(element, sideInputElementBytes);
    }
  }

  @Override
  public SpillFile newSpillFile() {
    throw new UnsupportedOperationException("no operator of Beam's Java SDK has one");
  }

  @Override
  public void report(byte[] report) {
    reports.add(report);
  }

  @Override
  public String jobId() {
    return "job";
  }

  @Override
  public InputStream jobFile(String name) throws IOException {
    throw new FileNotFoundException(name + ": a task of tests has no files");
  }

  @Override
  public byte[] jobPayload() {
    return JobPayload.of(options).toBytes();
  }

  @Override
  public int taskIndex() {
    return 0;
  }

  @Override
  public int parallelism() {
    return 1;
  }

  @Override
  public int attempt() {
    return 0;
  }

  @Override
  public long memoryBudgetBytes() {
    return memoryBudgetBytes;
  }

  @Override
  public ClassLoader classLoader() {
    return InMemoryTask.class.getClassLoader();
  }

  @Override
  @SuppressWarnings("unchecked") // each key has one type
  public <T> T shared(String key, Callable<T> factory) throws Exception {
    Object value = shared.get(key);
    if (value == null) {
      value = factory.call();
      shared.put(key, value);
    }
    return (T) value;
  }

  @Override
  public RecordTable.Builder newRecordTable() throws IOException {
    if (tables == null) {
      throw new IllegalStateException("this task has no tables");
    }
    return tables.begin(new BlockId("table" + tablesBegun++));
  }

  @Override
  public AgreedFile agreedFile(String name) {
    return agreedFile;
  }

  @Override
  public void counts(Supplier<MetricValues> counted) {
    // Nobody watches the task from elsewhere.
  }

  @Override
  public void afterCommit(CommitAction action) {
    afterCommit.add(action);
  }

  /** Commits: does what the operator asked for. */
  public void commit() throws Exception {
    for (CommitAction action : afterCommit) {
      action.run();
    }
  }

  /** Tables that were begun. */
  public int tablesBegun() {
    return tablesBegun;
  }

  /** Ends the job: closes what its tasks shared. */
  @Override
  public void close() throws Exception {
    for (Object object : shared.values()) {
      if (object instanceof AutoCloseable closeable) {
        closeable.close();
      }
    }
    shared.clear();
  }
}
