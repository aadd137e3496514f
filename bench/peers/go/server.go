// The benchmark's routes by net/http and database/sql: one prepared statement each, a pool of
// fixed size.
package main

import (
	"database/sql"
	"encoding/json"
	"log"
	"math"
	"net/http"
	"os"
	"strconv"
	"strings"

	_ "github.com/go-sql-driver/mysql"
)

type user struct {
	ID    int64  `json:"userId"`
	Name  string `json:"name"`
	Email string `json:"email"`
}

type slept struct {
	Slept int64 `json:"slept"`
}

type sum struct {
	Sum float64 `json:"sum"`
}

type message struct {
	Message string `json:"message"`
}

const columns = "SELECT userId, CONCAT(firstname, ' ', lastname) AS name, email FROM Users "

func send(w http.ResponseWriter, value any, err error) {
	if err == sql.ErrNoRows {
		http.Error(w, "not found", http.StatusNotFound)
		return
	}
	text, failed := json.Marshal(value)
	if err != nil || failed != nil {
		http.Error(w, "failed", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(text)
}

func prepare(db *sql.DB, text string) *sql.Stmt {
	statement, err := db.Prepare(text)
	if err != nil {
		log.Fatal(err)
	}
	return statement
}

func list(statement *sql.Stmt) ([]user, error) {
	rows, err := statement.Query()
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	users := []user{}
	for rows.Next() {
		var u user
		if err = rows.Scan(&u.ID, &u.Name, &u.Email); err != nil {
			return nil, err
		}
		users = append(users, u)
	}
	return users, rows.Err()
}

func sleep(db *sql.DB, path string, text string) {
	statement := prepare(db, text)
	http.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
		var s slept
		err := statement.QueryRow().Scan(&s.Slept)
		send(w, s, err)
	})
}

func main() {
	pool, _ := strconv.Atoi(os.Getenv("BENCH_POOL"))
	db, err := sql.Open("mysql",
		"mouse:cheese@unix("+os.Getenv("BENCH_SOCKET")+")/"+os.Getenv("BENCH_DATABASE"))
	if err != nil {
		log.Fatal(err)
	}
	db.SetMaxOpenConns(pool)
	db.SetMaxIdleConns(pool)
	point := prepare(db, columns+"WHERE userId = ?")
	users := prepare(db, columns+"ORDER BY userId LIMIT 100")

	http.HandleFunc("/hello", func(w http.ResponseWriter, r *http.Request) {
		send(w, message{"Hello World"}, nil)
	})
	http.HandleFunc("/users/", func(w http.ResponseWriter, r *http.Request) {
		var u user
		id, err := strconv.ParseInt(strings.TrimPrefix(r.URL.Path, "/users/"), 10, 64)
		if err != nil {
			err = sql.ErrNoRows
		} else {
			err = point.QueryRow(id).Scan(&u.ID, &u.Name, &u.Email)
		}
		send(w, u, err)
	})
	http.HandleFunc("/users", func(w http.ResponseWriter, r *http.Request) {
		all, err := list(users)
		send(w, all, err)
	})
	sleep(db, "/sleep/50", "SELECT SLEEP(0.05) AS slept")
	sleep(db, "/sleep/200", "SELECT SLEEP(0.2) AS slept")
	http.HandleFunc("/compute/", func(w http.ResponseWriter, r *http.Request) {
		steps, _ := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/compute/"))
		total := 0.0
		for i := 0; i < steps; i++ {
			total += math.Sqrt(float64(i))
		}
		send(w, sum{total}, nil)
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("BENCH_PORT"), nil))
}
