package dev.anemone.runtime.tez;

import dev.anemone.runtime.record.ByteSink;
import dev.anemone.runtime.record.ByteSlice;
import dev.anemone.runtime.record.GroupReader;
import dev.anemone.runtime.record.RecordReader;
import dev.anemone.runtime.record.RecordWriter;
import dev.anemone.runtime.task.TaskLinks;
import java.io.IOException;
import java.util.Iterator;
import java.util.Map;
import org.apache.hadoop.io.BytesWritable;
import org.apache.tez.runtime.api.LogicalInput;
import org.apache.tez.runtime.api.LogicalOutput;
import org.apache.tez.runtime.library.api.KeyValueReader;
import org.apache.tez.runtime.library.api.KeyValueWriter;
import org.apache.tez.runtime.library.api.KeyValuesReader;

/** A task's links over Tez's own key-value edges, with both key and value as bytes. */
final class TezLinks implements TaskLinks {

  private final Map<String, LogicalInput> inputs;
  private final Map<String, LogicalOutput> outputs;

  TezLinks(Map<String, LogicalInput> inputs, Map<String, LogicalOutput> outputs) {
    this.inputs = inputs;
    this.outputs = outputs;
  }

  @Override
  public RecordReader reader(String peer) throws IOException, InterruptedException {
    return new Records((KeyValueReader) reader(inputs.get(peer), peer));
  }

  @Override
  public GroupReader groupReader(String peer) throws IOException, InterruptedException {
    return new Groups((KeyValuesReader) reader(inputs.get(peer), peer));
  }

  private static Object reader(LogicalInput input, String peer)
      throws IOException, InterruptedException {
    try {
      return input.getReader();
    } catch (IOException | InterruptedException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException("cannot read what " + peer + " wrote", e);
    }
  }

  @Override
  public RecordWriter writer(String peer) throws IOException, InterruptedException {
    KeyValueWriter writer;
    try {
      writer = (KeyValueWriter) outputs.get(peer).getWriter();
    } catch (IOException | InterruptedException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException("cannot write to " + peer, e);
    }
    BytesWritable keyBytes = new BytesWritable();
    BytesWritable valueBytes = new BytesWritable();
    return (key, value) -> {
      set(keyBytes, key);
      set(valueBytes, value);
      writer.write(keyBytes, valueBytes);
    };
  }

  private static void set(BytesWritable target, ByteSink source) {
    target.set(source.array(), 0, source.length());
  }

  private static final class Records implements RecordReader {

    private final KeyValueReader reader;
    private final ByteSlice key = new ByteSlice();
    private final ByteSlice value = new ByteSlice();

    Records(KeyValueReader reader) {
      this.reader = reader;
    }

    @Override
    public boolean next() throws IOException {
      if (!reader.next()) {
        return false;
      }
      BytesWritable keyBytes = (BytesWritable) reader.getCurrentKey();
      BytesWritable valueBytes = (BytesWritable) reader.getCurrentValue();
      key.set(keyBytes.getBytes(), 0, keyBytes.getLength());
      value.set(valueBytes.getBytes(), 0, valueBytes.getLength());
      return true;
    }

    @Override
    public ByteSlice key() {
      return key.rewind();
    }

    @Override
    public ByteSlice value() {
      return value.rewind();
    }
  }

  private static final class Groups implements GroupReader {

    private final KeyValuesReader reader;
    private final ByteSink keyCopy = new ByteSink();
    private final ByteSlice key = new ByteSlice();
    private final ByteSlice value = new ByteSlice();
    private Iterator<Object> values;

    Groups(KeyValuesReader reader) {
      this.reader = reader;
    }

    @Override
    public boolean nextKey() throws IOException {
      if (!reader.next()) {
        values = null;
        return false;
      }
      // Tez reads ahead into the object that holds the key.
      BytesWritable bytes = (BytesWritable) reader.getCurrentKey();
      keyCopy.reset();
      keyCopy.write(bytes.getBytes(), 0, bytes.getLength());
      key.set(keyCopy.array(), 0, keyCopy.length());
      values = reader.getCurrentValues().iterator();
      return true;
    }

    @Override
    public ByteSlice key() {
      return key.rewind();
    }

    @Override
    public boolean nextValue() {
      if (!values.hasNext()) {
        return false;
      }
      BytesWritable bytes = (BytesWritable) values.next();
      value.set(bytes.getBytes(), 0, bytes.getLength());
      return true;
    }

    @Override
    public ByteSlice value() {
      return value.rewind();
    }
  }
}
