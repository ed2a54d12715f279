// SPDX-License-Identifier: Apache-2.0

// Counts words on a job server of Anemone:
//
//	bin/anemone job-server --port=8099
//	go run ./wordcount --input=FILE --output=FILE --runner=universal \
//	  --endpoint=localhost:8099 --environment_type=LOOPBACK
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"regexp"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/textio"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/transforms/stats"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"
)

var (
	input  = flag.String("input", "", "The file to read.")
	output = flag.String("output", "", "The file to write.")
	word   = regexp.MustCompile(`\w+`)
)

func init() {
	register.Function2x0(words)
	register.Function2x1(line)
	register.Emitter1[string]()
}

func words(line string, emit func(string)) {
	for _, found := range word.FindAllString(line, -1) {
		emit(found)
	}
}

func line(word string, count int) string {
	return fmt.Sprintf("%s: %d", word, count)
}

func main() {
	flag.Parse()
	beam.Init()
	if *input == "" || *output == "" {
		log.Fatal("Give --input=FILE and --output=FILE.")
	}
	pipeline, scope := beam.NewPipelineWithRoot()
	lines := textio.Read(scope, *input)
	counts := stats.Count(scope, beam.ParDo(scope, words, lines))
	textio.Write(scope, *output, beam.ParDo(scope, line, counts))
	if err := beamx.Run(context.Background(), pipeline); err != nil {
		log.Fatalf("The job has failed: %v", err)
	}
}
