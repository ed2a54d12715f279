// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.proxy;

import dev.anemone.ndp.protocol.NdpHttp;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.handler.codec.http.QueryStringEncoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The file that a request with a plan names, and who asks. Only what is known is passed on to the
 * data node, written anew.
 *
 * @param path absolute, decoded, without empty names, {@code .} and {@code ..}
 * @param parameters who asks, and of which name node the file is
 */
record PlanTarget(String path, Map<String, String> parameters) {

  private static final int LONGEST_PATH = 4096;
  private static final int LONGEST_VALUE = 4096;
  private static final String OPERATION = "op";
  private static final String NAME_NODE = "namenoderpcaddress";
  private static final String DELEGATION = "delegation";
  private static final Set<String> CALLER = Set.of("user.name", "doas", DELEGATION, NAME_NODE);
  private static final Pattern ADDRESS = Pattern.compile("[A-Za-z0-9._:\\[\\]-]{1,255}");
  private static final Pattern SLASH = Pattern.compile("/");

  /**
   * Reads the address of a request.
   *
   * @throws RequestException when it is not that of a file to open
   */
  static PlanTarget parse(String uri) {
    QueryStringDecoder query;
    String path;
    Map<String, List<String>> given;
    try {
      query = new QueryStringDecoder(uri, StandardCharsets.UTF_8);
      path = query.path();
      given = query.parameters();
    } catch (IllegalArgumentException e) {
      throw bad("the address cannot be decoded: " + e.getMessage());
    }
    if (!path.startsWith(NdpHttp.FILES + "/")) {
      throw bad("a plan is about a file, below " + NdpHttp.FILES);
    }
    Map<String, String> parameters = new TreeMap<>();
    boolean open = false;
    for (Map.Entry<String, List<String>> parameter : given.entrySet()) {
      String name = parameter.getKey();
      String value = parameter.getValue().get(0);
      if (parameter.getValue().size() > 1 || value.length() > LONGEST_VALUE) {
        throw bad("the parameter " + name + " is there twice or too long");
      }
      if (name.equals(OPERATION)) {
        open = value.equalsIgnoreCase("OPEN");
      } else if (CALLER.contains(name)) {
        parameters.put(name, value);
      } else {
        throw bad("with a plan there is no parameter " + name + "; the split says what is read");
      }
    }
    if (!open) {
      throw bad("a plan goes with op=OPEN");
    }
    if (!ADDRESS.matcher(parameters.getOrDefault(NAME_NODE, "")).matches()) {
      throw bad(NAME_NODE + " must name the file's name node, as in redirects of WebHDFS");
    }
    return new PlanTarget(checked(path.substring(NdpHttp.FILES.length())), parameters);
  }

  private static String checked(String path) {
    if (path.length() > LONGEST_PATH) {
      throw bad("the path is longer than " + LONGEST_PATH + " characters");
    }
    if (path.chars().anyMatch(c -> c < ' ' || c == 0x7f || c == 0xfffd)) {
      throw bad("the path has characters that no name of a file has");
    }
    List<String> names = new ArrayList<>(List.of(SLASH.split(path.substring(1), -1)));
    if (names.stream().anyMatch(name -> name.isEmpty() || name.equals(".") || name.equals(".."))) {
      throw bad("the path has a name that is empty, . or ..; give it in its shortest form");
    }
    return path;
  }

  private static RequestException bad(String reason) {
    return new RequestException(HttpResponseStatus.BAD_REQUEST, reason);
  }

  /** Whether it names who asks by something that cannot be made up. */
  boolean hasToken() {
    return parameters.containsKey(DELEGATION);
  }

  /** The address of a range of the file at the data node. */
  String rangeAddress(long offset, long length) {
    QueryStringEncoder address =
        new QueryStringEncoder(
            NdpHttp.FILES
                + SLASH
                    .splitAsStream(path)
                    .map(PlanTarget::encoded)
                    .collect(Collectors.joining("/")));
    address.addParam(OPERATION, "OPEN");
    parameters.forEach(address::addParam);
    address.addParam("offset", String.valueOf(offset));
    address.addParam("length", String.valueOf(length));
    return address.toString();
  }

  private static String encoded(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
