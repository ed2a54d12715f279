// SPDX-License-Identifier: Apache-2.0
/** What every program that runs a SQL query needs: its rows back at the client, and printed. */
package dev.anemone.examples.sql;
